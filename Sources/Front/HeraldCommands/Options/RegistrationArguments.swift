import CampaignModel
import FoundationEssentials
import Presentation
import RegistrationLists
import Text

/// Registrations that the command line names by fingerprint, in a file, or on standard input.
///
/// Never by the registration itself: every user of the machine can see arguments, and shells store
/// them.
enum RegistrationArguments {
    enum Person: Hashable {
        case registration(Registration)
        /// The first half of a fingerprint, as every command shows it.
        case fingerprint(UInt64)
    }

    /// `argument`: a fingerprint, `@FILE` or `-`.
    ///
    /// `option`: the option's description, for messages.
    static func read(
        _ argument: String,
        of option: String
    ) throws(CommandFailure) -> [Person] {
        if argument != "-", !argument.hasPrefix("@") {
            guard let short = fingerprint(argument[...]) else { throw noFingerprint(option) }
            return [.fingerprint(short)]
        }
        let path = argument == "-" ? nil : String(argument.dropFirst())
        let name = path.map(TextStyle.safe) ?? "standard input"
        var people: [Person] = []
        for (number, line) in try lines(of: path, named: name).enumerated() {
            let text = line.trimmed
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            if let short = fingerprint(text[...]) {
                people.append(.fingerprint(short))
            } else if let registration = Registration(text) {
                people.append(.registration(registration))
            } else {
                throw CommandFailure(.noRegistration(inLine: number + 1, of: name), exit: .usage)
            }
        }
        guard !people.isEmpty else {
            throw CommandFailure(.noRegistrations(in: name), exit: .usage)
        }
        return people
    }

    /// Does not repeat the value, because it may be a registration.
    private static func noFingerprint(_ option: String) -> CommandFailure {
        CommandFailure(.noFingerprint(in: option), exit: .usage)
    }

    private static func lines(
        of path: String?,
        named name: String
    ) throws(CommandFailure) -> [Substring] {
        guard let path else {
            var lines: [Substring] = []
            while let line = Input.line() { lines.append(line[...]) }
            return lines
        }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw CommandFailure(.unreadable(name), exit: .usage)
        }
        return String(decoding: data, as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Parses a short fingerprint.
    static func fingerprint(_ text: Substring) -> UInt64? {
        let isShort =
            text.utf8.count == 16
            && text.utf8.allSatisfy(\.isASCIILowercaseHexDigit)
        return isShort ? UInt64(text, radix: 16) : nil
    }
}

extension Substring {
    fileprivate var trimmed: String {
        let blanks: Set<Character> = [" ", "\t", "\r", "\u{FEFF}"]
        let start = drop { blanks.contains($0) }
        return String(start.reversed().drop { blanks.contains($0) }.reversed())
    }
}
