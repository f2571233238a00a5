public import Foundation

/// A model that can't be read, merged or frozen, with everything that is wrong with it.
public struct ModelError: Error, Sendable {
  /// What was being done, to what.
  public let message: String
  /// Every fault found, in the order of the file.
  public let diagnostics: [ModelDiagnostic]

  /// - Parameters:
  ///   - message: what was being done, to what.
  ///   - diagnostics: every fault found.
  public init(_ message: String, diagnostics: [ModelDiagnostic] = []) {
    self.message = message
    self.diagnostics = diagnostics
  }
}

extension ModelError: CustomStringConvertible, LocalizedError {
  /// The message, and each diagnostic on a line of its own.
  public var description: String {
    ([message] + diagnostics.map { $0.description }).joined(separator: "\n")
  }
  /// The description, for people.
  public var errorDescription: String? { description }
}
