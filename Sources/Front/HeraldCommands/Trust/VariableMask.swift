import FoundationEssentials
import Synchronization

/// Replaces the values of environment variables that `herald.yaml` inserts, in everything that a
/// command prints: a pull request could otherwise show any of them in the comment with its plan.
///
/// A class, because the values are known only after the output exists.
final class VariableMask: Sendable {
    private struct Entry {
        let value: String
        let name: String
    }

    private let entries = Mutex<[Entry]>([])

    /// Shorter values are no secrets, and would appear in other words.
    private static let shortest = 4

    /// `values`: the values by the names of their variables.
    func hide(_ values: [String: String]) {
        let new = values.filter { $0.value.utf8.count >= Self.shortest }
            .map { Entry(value: $0.value, name: $0.key) }
        entries.withLock { entries in
            // A value that contains another one is replaced first.
            entries = (entries + new).sorted { $0.value.utf8.count > $1.value.utf8.count }
        }
    }

    func masked(_ text: String) -> String {
        let entries = entries.withLock { $0 }
        guard !entries.isEmpty else { return text }
        return entries.reduce(text) { text, entry in
            Self.replacing(entry.value, in: text, with: "${\(entry.name)}")
        }
    }

    /// Ignores the case of ASCII letters, because host names are shown in lowercase.
    private static func replacing(
        _ value: String,
        in text: String,
        with replacement: String
    ) -> String {
        let wanted = value.utf8.map(lowercase)
        let bytes = Array(text.utf8)
        guard bytes.count >= wanted.count else { return text }
        var result: [UInt8] = []
        var start = 0
        var index = 0
        while index <= bytes.count - wanted.count {
            let isHere = wanted.indices.allSatisfy { lowercase(bytes[index + $0]) == wanted[$0] }
            guard isHere else {
                index += 1
                continue
            }
            result += bytes[start..<index] + Array(replacement.utf8)
            index += wanted.count
            start = index
        }
        guard start > 0 else { return text }
        return String(decoding: result + bytes[start...], as: UTF8.self)
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension CommandOutput {
    /// The same stream without the values that a mask hides.
    func masking(_ mask: VariableMask) -> CommandOutput {
        CommandOutput(isTerminal: isTerminal, columns: columns) { [write] text in
            write(mask.masked(text))
        }
    }
}
