import CampaignModel
import Envelopes

extension RegistrationListError {
    /// What is wrong with a line of a file, and where.
    package struct BrokenLine: Hashable, Sendable {
        package enum Column: Hashable, Sendable {
            /// A column that the list's description names.
            case name(String)
            /// In a CSV file, the number of the field; in other files, of the character in the line.
            case number(Int)
        }

        /// The line of the file, from 1.
        package let number: Int
        package let column: Column
        /// The position in the uncompressed file, from 1.
        package let byte: Int
        package let reason: String
        /// The file, if the list has several.
        package private(set) var path: String?

        init(number: Int, column: Column, byte: Int, reason: String) {
            self.number = number
            self.column = column
            self.byte = byte
            self.reason = reason
        }

        /// The position in the line and in the file, as text.
        package var place: String {
            switch column {
            case .name(let name): "column `\(name)`, byte \(byte)"
            case .number(let number): "column \(number), byte \(byte)"
            }
        }

        func with(_ column: Column) -> BrokenLine {
            var line = BrokenLine(number: number, column: column, byte: byte, reason: reason)
            line.path = path
            return line
        }

        func of(_ path: String?) -> BrokenLine {
            var line = self
            line.path = path
            return line
        }
    }
}

extension RegistrationListError.BrokenLine {
    static let noRegistration = "a registration has no white space, quotes or commas"
    static let longRegistration =
        "a registration has at most \(Registration.maximumLength) characters"
    static let notUTF8 = "it is not UTF-8"
    static let nul = "it contains the character NUL"
    static let tooLong = "it is longer than 1 MiB"

    /// The maximum length of a row: 1 MiB.
    static let maximumLength = 1_048_576

    /// Why a text is not a locale.
    ///
    /// The text is repeated only if it is a locale in another notation, because it may be a value
    /// of another column.
    static func reason(notLocale text: String, named name: String) -> String {
        guard !text.contains(" "), let meant = Locale.meant(by: text) else {
            return "its `\(name)` is not a language tag such as `pt` or `pt-BR`"
        }
        return "its `\(name)` is `\(text)` instead of the language tag `\(meant)`"
    }

    /// Why a text is not a public key; keys are not repeated.
    static func reason(notKey fault: EnvelopeKey.Fault, named name: String) -> String {
        switch fault {
        case .notBase64: "its `\(name)` is not base64"
        case .length(let count):
            "its `\(name)` has \(count) bytes instead of the \(EnvelopeKey.size) of an X25519 key"
        case .curve(let curve):
            "its `\(name)` is a key of \(curve); messages are encrypted with X25519 keys"
        case .smallOrder:
            "its `\(name)` is a point of small order, with which anyone could decrypt"
        }
    }

    /// Why a text is not a registration.
    static func reason(notRegistration text: String) -> String {
        text.utf8.count > Registration.maximumLength ? longRegistration : noRegistration
    }
}
