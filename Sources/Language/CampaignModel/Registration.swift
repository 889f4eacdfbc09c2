import Text

/// An app instance's registration token.
///
/// It is a secret, because anyone who has it and a credential of the project can send to that
/// device. It is never printed: logs and views show a `Fingerprint`.
package struct Registration: Hashable, Sendable {
    package let token: String

    /// - Parameter text: 1 to 4,096 printable ASCII characters without white space, quotation marks
    ///   and commas. FCM specifies no format; its tokens consist of letters, digits, `:`, `_` and
    ///   `-`.
    package init?(_ text: some StringProtocol) {
        self.init(String(text))
    }

    /// Like `init(_:)`, for a text that need not be copied.
    package init?(_ text: String) {
        var text = text
        guard text.withUTF8({ Self.isToken($0) }) else { return nil }
        token = text
    }

    /// Like `init(_:)`, for a text in UTF-8.
    package init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        guard Self.isToken(bytes) else { return nil }
        token = String(decoding: bytes, as: UTF8.self)
    }

    package static let maximumLength = 4096

    /// Whether it has the form of a Firebase installation ID: 22 characters of base64url, the first
    /// of which is `c`, `d`, `e` or `f` (firebase-js-sdk, generate-fid.ts).
    ///
    /// A registration token is longer.
    package var isInstallationID: Bool {
        let bytes = token.utf8
        guard bytes.count == 22, let first = bytes.first,
            (UInt8(ascii: "c")...UInt8(ascii: "f")).contains(first)
        else { return false }
        return bytes.allSatisfy { byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
            default: false
            }
        }
    }

    /// The first byte that no registration contains, as an index; nil if there is none.
    package static func firstInvalidByte(in bytes: ArraySlice<UInt8>) -> Int? {
        bytes.firstIndex { !isTokenByte($0) }
    }

    /// An explicit loop, because lists are long.
    private static func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        isToken(UnsafeRawBufferPointer(bytes))
    }

    /// Whether `init(_:)` accepts these bytes; without a branch per byte.
    package static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard (1...maximumLength).contains(bytes.count) else { return false }
        return invalidBytes.withUnsafeBufferPointer { invalidBytes in
            var found = UInt8(0)
            for byte in bytes { found |= invalidBytes[Int(byte)] }
            return found == 0
        }
    }

    /// 1 for each byte that no registration contains.
    private static let invalidBytes: [UInt8] = (UInt8.min ... .max).map { isTokenByte($0) ? 0 : 1 }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "\\"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }
}

extension Registration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Represents a registration in output: the first 16 bytes of a keyed hash.
///
/// The key belongs to the state's lineage, so fingerprints are meaningless outside of it.
package struct Fingerprint: Hashable, Sendable, Comparable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func < (left: Fingerprint, right: Fingerprint) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension Fingerprint: CustomStringConvertible {
    /// The short form: the first eight bytes as sixteen hexadecimal digits.
    package var description: String { Hexadecimal.text(of: high) }
}

/// The 32-byte key for hashing registrations; a secret, created once with the lineage.
package struct FingerprintKey: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension FingerprintKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Identifies a list by content: the SHA-256 of its registrations in order, one per line, as 64
/// hexadecimal digits.
package struct ListID: Hashable, Sendable {
    package let text: String

    package init(text: String) {
        self.text = text
    }
}
