/// Compressed forms of "angler:1\nangler:2\n".
enum CompressedSamples {
    static let text = "angler:1\nangler:2\n"

    /// Python: `gzip.compress(text, mtime=0).hex()`.
    static let gzip = bytes(
        "1f8b08000000000002034bcc4bcf492db232e44a84308cb8004da2dd4712000000"
    )

    /// The two lines, compressed one by one in the same way; each member has 29 bytes.
    static let gzipMembers = bytes(
        "1f8b08000000000002034bcc4bcf492db232e402004a90c7c609000000"
            + "1f8b08000000000002034bcc4bcf492db232e2020089c3eaed09000000"
    )

    /// `zstd -19 -c`, with a checksum.
    static let zstd = bytes("28b52ffd0468910000616e676c65723a310a616e676c65723a320a1bd9ee5d")

    /// A skippable frame of five bytes, the first line, another one, and the second line.
    static let zstdFrames = bytes(
        "502a4d180500000068656c6c6f" + "28b52ffd0468490000616e676c65723a310aea78a178"
            + "5f2a4d1800000000" + "28b52ffd0468490000616e676c65723a320a9b2ab82d"
    )

    /// A frame that declares a window of 256 MiB (RFC 8878, 3.1.1.1.2), with an empty block.
    static let zstdWithLargeWindow = bytes("28b52ffd0090010000")

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        var digits = hexadecimal[...]
        var bytes: [UInt8] = []
        while !digits.isEmpty {
            bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
            digits = digits.dropFirst(2)
        }
        return bytes
    }
}
