import FoundationEssentials
import Text

/// The team's key for an encrypted state: 32 bytes that are never printed.
///
/// It does not encrypt registrations directly: it wraps the state's own keys.
package struct StateKey: Hashable, Sendable {
    package static let size = 32

    package let bytes: [UInt8]

    /// Nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
    }

    /// Parses 64 hexadecimal digits or base64, ignoring surrounding white space.
    package init?(text: some Sequence<UInt8>) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let trimmed = Array(text).drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        let written = Array(trimmed)
        guard let bytes = Self.hexadecimal(written) ?? Self.base64(written) else { return nil }
        self.init(bytes: bytes)
    }

    private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
        text.count == 2 * size ? Hexadecimal.bytes(text) : nil
    }

    private static func base64(_ text: [UInt8]) -> [UInt8]? {
        Data(base64Encoded: Data(text)).map { Array($0) }
    }
}

extension StateKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The possible keys of a state; without any, the state is plain.
package struct StateKeys: Hashable, Sendable {
    package let key: StateKey?
    /// The previous key.
    package let previous: StateKey?

    package init(key: StateKey?, previous: StateKey? = nil) {
        self.key = key
        self.previous = previous
    }

    package static let none = StateKeys(key: nil)
}
