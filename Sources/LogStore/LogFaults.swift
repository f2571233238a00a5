/// Deliberate mistakes, so that tests can show that they would be noticed. Nothing but tests sets any.
package struct LogFaults: Sendable {
  /// Records are believed whatever their checksum.
  package var ignoresChecksums = false
  /// A record is believed to follow the one before it, whatever its hash says of that.
  package var ignoresChain = false
  /// A new segment's name is not made durable.
  package var skipsDirectorySync = false
  /// A torn tail is left where it is.
  package var keepsTornTail = false
  /// A record is acknowledged before it is durable.
  package var skipsSync = false
  /// A failed sync is made again, and believed when it then succeeds.
  package var retriesSync = false
  /// What a failed sync left behind stays in the file.
  package var keepsUnsyncedTail = false
  package init() {}
}
