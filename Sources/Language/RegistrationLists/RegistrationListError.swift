import FoundationEssentials
import SystemIO

/// Why a list of registrations cannot be used.
///
/// Lines count from 1. Errors never contain a registration.
package enum RegistrationListError: Error, Hashable, Sendable {
    case unreadable(path: String, reason: Reason)
    case empty(path: String?)
    /// `count`: The number of broken lines, of which the first are listed.
    case brokenLines([BrokenLine], path: String, count: Int)
    /// The same registration appears twice; the message would be sent to it twice.
    case repeated(line: Int, first: Int, path: String?, count: Int)
    case missingColumn(MissingColumn)
    /// The list differs from the planned one.
    case changed(path: String?)

    /// A message by the operating system or by Herald.
    package struct Reason: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ error: SystemError) {
            description = error.reason.lowercased()
        }

        private init(description: String) {
            self.description = description
        }

        static let outside = Reason(
            description: "it is outside of the project, which needs --allow-path DIR"
        )
        static let link = Reason(description: "it is a symbolic link")
        static let noRegularFile = Reason(description: "it is not a regular file")
    }

    /// A column that the header line, or the first object, does not have.
    package struct MissingColumn: Hashable, Sendable {
        package let name: String
        package let path: String
        package let line: Int
        /// The column that was probably intended.
        package let nearest: String?
        /// The probable separator between the fields, if it is not a comma.
        package let separator: String?
    }

    package struct BrokenLine: Hashable, Sendable {
        package let number: Int
        package let reason: String
    }
}
