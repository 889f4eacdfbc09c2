/// A format of compressed files, recognized by the first bytes of a file.
package enum CompressionFormat: String, Hashable, Sendable, CaseIterable {
    /// RFC 1952.
    case gzip
    /// RFC 8878.
    case zstd

    /// The number of bytes that suffice to recognize a format.
    package static let signatureLength = 4

    /// Returns nil if a file with these first bytes is not compressed.
    package init?(firstBytes bytes: [UInt8]) {
        if bytes.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || Self.beginSkippableFrame(bytes) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// Whether a frame that decoders skip begins here (RFC 8878, 3.1.2).
    private static func beginSkippableFrame(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, (0x50...0x5F).contains(first) else { return false }
        return bytes.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    /// Whether a further frame may begin with this byte.
    func mayContinue(with byte: UInt8) -> Bool {
        switch self {
        case .gzip: byte == 0x1F
        case .zstd: byte == 0x28 || (0x50...0x5F).contains(byte)
        }
    }
}
