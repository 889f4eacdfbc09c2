import FoundationEssentials

import Glibc

/// Why a list of registrations can't be used.
///
/// Lines count from 1; no registration is repeated.
package enum RegistrationListError: Error, Hashable, Sendable {
    case unreadable(path: String, reason: Reason)
    case empty(path: String?)
    /// `count`: how many there are, of which the first are named.
    case brokenLines([BrokenLine], path: String, count: Int)
    /// The same registration twice: it would be sent to twice.
    case repeated(line: Int, first: Int, path: String?, count: Int)
    case missingColumn(MissingColumn)
    /// The list is not the one that was planned for.
    case changed(path: String?)
    /// This version does not send to lists that say so much of themselves.
    case notBuilt(path: String)

    /// The operating system's words, or one of Herald's own.
    package struct Reason: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(errorNumber: Int32) {
            description = String(cString: strerror(errorNumber)).lowercased()
        }

        private init(description: String) {
            self.description = description
        }

        static let noRegularFile = Reason(description: "it is not a regular file")
    }

    /// A column that the head line, or the first object, does not have.
    package struct MissingColumn: Hashable, Sendable {
        package let name: String
        package let path: String
        package let line: Int
        /// The column that was probably meant.
        package let nearest: String?
        /// What seems to stand between the fields instead of commas.
        package let separator: String?
    }

    package struct BrokenLine: Hashable, Sendable {
        package let number: Int
        package let reason: String
    }
}
