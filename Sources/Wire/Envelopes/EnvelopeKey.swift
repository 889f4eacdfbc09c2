import Crypto

/// A recipient's public key, for which messages are encrypted.
///
/// It is an X25519 key (RFC 7748) that does not make every shared secret zero.
package struct EnvelopeKey: Hashable, Sendable {
    /// Why a text is not such a key.
    package enum Fault: Error, Hashable, Sendable {
        case notBase64
        /// The number of bytes, which is not that of any known key.
        case length(Int)
        /// A key of another curve, by its usual name.
        case curve(String)
        /// Every shared secret with the key is zero.
        case smallOrder
    }

    /// The 32 bytes of the key.
    package let bytes: [UInt8]

    /// Reads a key in base64 or base64url, with or without padding.
    ///
    /// `text`: the 32 bytes of the key, or a SubjectPublicKeyInfo in DER (RFC 8410).
    package init(parsing text: String) throws(Fault) {
        guard let decoded = Base64Text.decode(text) else { throw .notBase64 }
        let key = try Self.bare(decoded)
        guard !Self.isOfSmallOrder(key) else { throw .smallOrder }
        bytes = key
    }

    /// The key of a recipient that does not exist: its private key is forgotten at once.
    package static func random() -> EnvelopeKey {
        EnvelopeKey(bytes: Array(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation))
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The first 8 bytes of the key's SHA-256, by which a device finds its private key.
    package var id: [UInt8] { Array(SHA256.hash(data: bytes).prefix(Self.idSize)) }

    package static let size = 32
    package static let idSize = 8

    /// Returns the key without the SubjectPublicKeyInfo around it.
    private static func bare(_ bytes: [UInt8]) throws(Fault) -> [UInt8] {
        if bytes.count == size { return bytes }
        for form in forms where bytes.count == form.prefix.count + form.length {
            guard bytes.starts(with: form.prefix) else { continue }
            guard form.curve == nil else { throw .curve(form.curve ?? "") }
            return Array(bytes.dropFirst(form.prefix.count))
        }
        throw .length(bytes.count)
    }

    /// The beginning of a key in another form than its 32 bytes, and the number of bytes that follow.
    private struct Form {
        let prefix: [UInt8]
        let length: Int
        /// Nil for X25519.
        let curve: String?

        init(_ prefix: [UInt8], then length: Int, curve: String?) {
            self.prefix = prefix
            self.length = length
            self.curve = curve
        }
    }

    private static let forms: [Form] = [
        // SubjectPublicKeyInfo of RFC 8410.
        Form(info(length: 0x2A, of: 0x6E, bits: 0x21), then: 32, curve: nil),
        Form(info(length: 0x2A, of: 0x70, bits: 0x21), then: 32, curve: "Ed25519"),
        Form(info(length: 0x42, of: 0x6F, bits: 0x39), then: 56, curve: "X448"),
        Form(info(length: 0x43, of: 0x71, bits: 0x3A), then: 57, curve: "Ed448"),
        Form([], then: 56, curve: "X448"),
        Form([], then: 57, curve: "Ed448"),
        // Points of SEC 1, without and with the SubjectPublicKeyInfo of RFC 5480.
        Form([0x04], then: 64, curve: "P-256"),
        Form([0x02], then: 32, curve: "P-256"),
        Form([0x03], then: 32, curve: "P-256"),
        Form([0x04], then: 96, curve: "P-384"),
        Form([0x04], then: 132, curve: "P-521"),
        Form([0x30, 0x59, 0x30, 0x13], then: 87, curve: "P-256"),
        Form([0x30, 0x76, 0x30, 0x10], then: 116, curve: "P-384"),
        Form([0x30, 0x81, 0x9B, 0x30, 0x10], then: 153, curve: "P-521"),
    ]

    private static func info(length: UInt8, of algorithm: UInt8, bits: UInt8) -> [UInt8] {
        [0x30, length, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, algorithm, 0x03, bits, 0x00]
    }

    /// Whether the key is one of the points whose order divides the cofactor.
    ///
    /// X25519 ignores the highest bit.
    private static func isOfSmallOrder(_ key: [UInt8]) -> Bool {
        var masked = key
        masked[size - 1] &= 0x7F
        return smallOrder.contains(masked)
    }

    /// The points 0, 1, p - 1, p and p + 1, and the two of order 8 (RFC 7748, section 6.1).
    private static let smallOrder: Set<[UInt8]> = {
        let ones = [UInt8](repeating: 0xFF, count: 30)
        return [
            [UInt8](repeating: 0, count: 32),
            [1] + [UInt8](repeating: 0, count: 31),
            [0xEC] + ones + [0x7F],
            [0xED] + ones + [0x7F],
            [0xEE] + ones + [0x7F],
            [
                0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F,
                0xC4, 0x6A, 0xDA, 0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16,
                0x5F, 0x49, 0xB8, 0x00,
            ],
            [
                0x5F, 0x9C, 0x95, 0xBC, 0xA3, 0x50, 0x8C, 0x24, 0xB1, 0xD0, 0xB1, 0x55, 0x9C, 0x83,
                0xEF, 0x5B, 0x04, 0x44, 0x5C, 0xC4, 0x58, 0x1C, 0x8E, 0x86, 0xD8, 0x22, 0x4E, 0xDD,
                0xD0, 0x9F, 0x11, 0x57,
            ],
        ]
    }()
}
