import SystemIO
import TestSupport
import Testing

@testable import Decompression

struct FileDecompressorTests {
    private static func text(
        _ bytes: [UInt8],
        maximumLength: Int = 1_000,
        inPiecesOf count: Int = 65_536
    ) throws -> String {
        let folder = try TemporaryFolder()
        try folder.write("a", bytes)
        let file = try File(folder.path + "/a", for: .reading)
        let format = try #require(CompressionFormat(firstBytes: bytes))
        var reader = try FileDecompressor(format, maximumLength: maximumLength)
        var contents: [UInt8] = []
        while try reader.append(to: &contents, atMost: count, from: file) > 0 {}
        #expect(try reader.append(to: &contents, atMost: count, from: file) == 0)
        return String(decoding: contents, as: UTF8.self)
    }

    private static func error(
        _ bytes: [UInt8],
        maximumLength: Int = 1_000
    ) throws
        -> DecompressionError?
    {
        do {
            _ = try text(bytes, maximumLength: maximumLength)
            return nil
        } catch let error as DecompressionError {
            return error
        }
    }

    private static let samples = [
        CompressedSamples.gzip, CompressedSamples.gzipMembers, CompressedSamples.zstd,
        CompressedSamples.zstdFrames,
    ]

    @Test(arguments: samples)
    func `reads every frame of a file, in pieces of any size`(bytes: [UInt8]) throws {
        #expect(try Self.text(bytes) == CompressedSamples.text)
        for count in 1...19 {
            #expect(try Self.text(bytes, inPiecesOf: count) == CompressedSamples.text)
        }
    }

    @Test func `a frame may be empty`() throws {
        // Python: gzip.compress(b"", mtime=0).
        let empty = CompressedSamples.bytes("1f8b080000000000020303000000000000000000")
        #expect(try Self.text(empty) == "")
        #expect(try Self.text(empty + CompressedSamples.gzip) == CompressedSamples.text)
        #expect(try Self.text(CompressedSamples.bytes("502a4d1800000000")) == "")
    }

    @Test func `reads a file of many blocks`() throws {
        let members = Array(repeating: CompressedSamples.gzipMembers, count: 5_000).joined()
        let frames = Array(repeating: CompressedSamples.zstdFrames, count: 5_000).joined()
        let text = String(repeating: CompressedSamples.text, count: 5_000)
        #expect(try Self.text(Array(members), maximumLength: text.utf8.count) == text)
        #expect(try Self.text(Array(frames), maximumLength: text.utf8.count) == text)
    }

    @Test(arguments: samples)
    func `refuses a file that ends inside a frame`(bytes: [UInt8]) throws {
        for count in 4..<bytes.count {
            let error = try Self.error(Array(bytes[..<count]))
            let isBetweenFrames =
                bytes == CompressedSamples.gzipMembers && count == 29
                || bytes == CompressedSamples.zstdFrames && [13, 35, 43].contains(count)
            let expected = DecompressionError(problem: .truncated, byte: count)
            #expect(error == (isBetweenFrames ? nil : expected), "\(count) bytes")
        }
    }

    @Test(arguments: [
        // zlib reads the compression method, which must be 8, together with the flags.
        (CompressedSamples.gzip, 2, 4),
        // The checksum has four bytes before the length of four bytes.
        (CompressedSamples.gzip, 25, 29), (CompressedSamples.gzip, 32, 33),
        // libzstd reads the header of the block, from byte 7, together with the last byte of the
        // frame's header, and the checksum as the last part.
        (CompressedSamples.zstd, 6, 6), (CompressedSamples.zstd, 30, 28),
    ])
    func `refuses damaged data at its place`(bytes: [UInt8], offset: Int, byte: Int) throws {
        var damaged = bytes
        damaged[offset] ^= 0xFF
        #expect(try Self.error(damaged) == DecompressionError(problem: .damaged, byte: byte))
    }

    @Test(arguments: samples)
    func `refuses other bytes after the data`(bytes: [UInt8]) throws {
        for rest in ["\n", "\0", "angler:3\n"] {
            #expect(
                try Self.error(bytes + Array(rest.utf8))
                    == DecompressionError(problem: .trailingBytes, byte: bytes.count + 1)
            )
        }
    }

    @Test func `refuses data of the other format after the data`() throws {
        #expect(
            try Self.error(CompressedSamples.gzip + CompressedSamples.zstd)
                == DecompressionError(problem: .trailingBytes, byte: 34)
        )
        #expect(
            try Self.error(CompressedSamples.zstd + CompressedSamples.gzip)
                == DecompressionError(problem: .trailingBytes, byte: 32)
        )
    }

    @Test(arguments: samples)
    func `stops at the maximum length`(bytes: [UInt8]) throws {
        #expect(try Self.text(bytes, maximumLength: 18) == CompressedSamples.text)
        #expect(try Self.error(bytes, maximumLength: 17)?.problem == .tooLong)
    }

    @Test func `refuses windows of more than 128 MiB`() throws {
        let bytes = CompressedSamples.zstdWithLargeWindow
        #expect(
            try Self.error(bytes) == DecompressionError(problem: .windowTooLarge, byte: 1)
        )
        #expect(
            try Self.error(CompressedSamples.zstd + bytes)
                == DecompressionError(problem: .windowTooLarge, byte: 32)
        )
        // The window descriptor 88 declares 128 MiB.
        #expect(try Self.text(CompressedSamples.bytes("28b52ffd0088010000")) == "")
    }
}

struct CompressionFormatTests {
    @Test(arguments: [
        ("1f8b", CompressionFormat.gzip), ("1f8b0800", .gzip), ("28b52ffd", .zstd),
        ("502a4d18", .zstd), ("5f2a4d18", .zstd), ("28b52ffd04", .zstd),
    ])
    func `recognizes a format by its first bytes`(start: String, format: CompressionFormat) {
        #expect(CompressionFormat(firstBytes: CompressedSamples.bytes(start)) == format)
    }

    @Test(arguments: [
        "", "1f", "1f8a0800", "8b1f0800", "28b52f", "28b52ffc", "4f2a4d18", "602a4d18", "502a4d19",
        "502a4d", "616e676c", "efbbbf61",
    ])
    func `other files are not compressed`(start: String) {
        #expect(CompressionFormat(firstBytes: CompressedSamples.bytes(start)) == nil)
    }
}
