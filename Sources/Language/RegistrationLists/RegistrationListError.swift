package import CampaignModel
import Decompression
import FoundationEssentials
import SystemIO

/// Why a list of registrations cannot be used.
///
/// Lines and bytes count from 1. Errors never contain a registration.
package enum RegistrationListError: Error, Hashable, Sendable {
    case unreadable(path: String, reason: Reason)
    case empty(path: String?)
    /// `path`: The file of the first line. `count`: The number of broken lines, of which the first
    /// are listed.
    case brokenLines([BrokenLine], path: String, count: Int)
    /// The same registration appears twice; the message would be sent to it twice.
    ///
    /// `firstPath`: The file of the first one, if the list has several files.
    case repeated(line: Int, first: Int, path: String?, count: Int, firstPath: String? = nil)
    case missingColumn(MissingColumn)
    /// The list differs from the planned one.
    case changed(path: String?)
    /// The list is the output of a source that this command did not run, or may not run.
    case sourceNotRead(ListSourceID)

    /// A message by the operating system or by Herald.
    package struct Reason: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
        /// Whether there is no file.
        package let isMissing: Bool

        init(_ error: SystemError) {
            self.init(description: error.reason.lowercased(), isMissing: error == .notFound)
        }

        fileprivate init(description: String, isMissing: Bool = false) {
            self.description = description
            self.isMissing = isMissing
        }

        static let outside = Reason(
            description: "it is outside of the project, which needs --allow-path DIR"
        )
        static let link = Reason(description: "it is a symbolic link")
        static let noRegularFile = Reason(description: "it is not a regular file")
        static let changed = Reason(description: "it changed while it was read")
        static let noMatch = Reason(description: "no file matches it", isMissing: true)
        static let severalFiles = Reason(description: "it is a pattern, which may match many files")
        static let foreignName = Reason(description: "its name is not UTF-8")

        /// A temporary file for a long list.
        static func noTemporaryFile(_ error: SystemError) -> Reason {
            Reason(
                description: "it is long, and its temporary file cannot be written: "
                    + "\(error.reason.lowercased()); TMPDIR names the directory"
            )
        }

        /// A file that a pattern for another format matches.
        static func otherFormat(
            _ format: RegistrationFile.Format,
            among other: RegistrationFile.Format
        ) -> Reason {
            Reason(
                description: "its name is that of a \(format.rawValue) list, and the pattern that "
                    + "matches it is for \(other.rawValue) lists"
            )
        }
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
}

extension RegistrationListError.Reason {
    init(_ error: DecompressionError, of format: CompressionFormat, limit: DecompressionLimit) {
        let byte = "byte \(error.byte) of the compressed file"
        let description =
            switch error.problem {
            case .unreadable(let error): error.reason.lowercased()
            case .truncated: "its \(format.rawValue) data ends too early, after \(byte)"
            case .damaged: "its \(format.rawValue) data is damaged at \(byte)"
            case .trailingBytes: "other data follows its \(format.rawValue) data, from \(byte)"
            case .windowTooLarge: "its zstd data at \(byte) needs a window of more than 128 MiB"
            case .tooLong: "its contents have \(limit.description)"
            case .noMemory: "there is not enough memory to decompress it"
            }
        self.init(description: description)
    }

    /// - Parameter failure: Why the path is not a pattern.
    init(_ failure: PathPattern.Failure) {
        let description =
            switch failure {
            case .doubleStar: "`**` is not supported"
            case .unclosedBracket: "a `[` has no closing bracket"
            case .emptyRange: "a range in brackets ends before it begins"
            case .trailingBackslash: "a name ends with a backslash"
            }
        self.init(description: description)
    }
}
