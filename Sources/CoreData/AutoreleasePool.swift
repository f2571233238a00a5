/// Runs code, as `autoreleasepool` does on Apple's platforms, where this comes with Foundation. Linux keeps no objects
/// for later release, so there is nothing to drain: loops that import in batches port as they are.
///
/// - Parameter body: called once, on the same thread.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
@inlinable
public func autoreleasepool<Result, Failure: Error>(
  invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  try body()
}
