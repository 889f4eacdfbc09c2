package import SystemIO

/// Reads the contents of a compressed file block by block.
///
/// A file may consist of several frames (gzip calls them members), whose contents are joined.
/// Memory use depends only on the window that the file declares, at most 128 MiB.
package struct FileDecompressor: ~Copyable {
    private let format: CompressionFormat
    private let maximumLength: Int
    private var gzip: GzipDecoder?
    private var zstd: ZstdDecoder?
    private var input: [UInt8] = []
    /// The first byte of `input` that was not used.
    private var position = 0
    private var isInFrame = false
    /// The number of bytes before the frame, and of all bytes that were used.
    private var frameStart = 0
    private var consumed = 0
    private var produced = 0

    private static let blockSize = 65_536

    /// `maximumLength`: the number of bytes that the contents may have.
    package init(
        _ format: CompressionFormat,
        maximumLength: Int
    ) throws(DecompressionError) {
        self.format = format
        self.maximumLength = maximumLength
        switch format {
        case .gzip:
            gzip = GzipDecoder()
            zstd = nil
        case .zstd:
            gzip = nil
            zstd = ZstdDecoder()
        }
        let hasDecoder = gzip != nil || zstd != nil
        guard hasDecoder else { throw DecompressionError(problem: .noMemory, byte: 1) }
    }

    /// Appends exactly `count` bytes of the contents, or fewer at their end.
    ///
    /// Reads the file from its current position; returns the number of appended bytes.
    package mutating func append(
        to output: inout [UInt8],
        atMost count: Int,
        from file: borrowing File
    ) throws(DecompressionError) -> Int {
        var total = 0
        while true {
            total += try decode(into: &output, atMost: count - total)
            guard total < count else { return total }
            guard position == input.count else { throw error(.damaged, at: consumed + 1) }
            guard try refill(from: file) else {
                guard !isInFrame else { throw error(.truncated, at: consumed) }
                return total
            }
        }
    }

    /// Returns false at the end of the file.
    private mutating func refill(from file: borrowing File) throws(DecompressionError) -> Bool {
        input.removeAll(keepingCapacity: true)
        position = 0
        do throws(SystemError) {
            return try file.append(to: &input, atMost: Self.blockSize) > 0
        } catch {
            throw self.error(.unreadable(error), at: consumed + 1)
        }
    }

    /// Decodes until the input is used or `count` bytes are appended.
    private mutating func decode(
        into output: inout [UInt8],
        atMost count: Int
    ) throws(DecompressionError) -> Int {
        let start = output.count
        var failure: DecompressionError?
        output.append(addingCapacity: count) { space in
            do throws(DecompressionError) {
                while space.freeCapacity > 0, try takeStep(into: &space) {}
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return output.count - start
    }

    /// Returns false if there is no progress without more input.
    private mutating func takeStep(
        into space: inout OutputSpan<UInt8>
    ) throws(DecompressionError) -> Bool {
        guard try beginFrameIfNeeded() else { return false }
        let rest = input[position...]
        guard let step = gzip?.decode(rest, into: &space) ?? zstd?.decode(rest, into: &space)
        else { return false }
        position += step.consumed
        consumed += step.consumed
        produced += step.produced
        guard produced <= maximumLength else { throw error(.tooLong, at: consumed) }
        switch step.result {
        case .unfinished: return step.consumed + step.produced > 0
        case .endOfFrame: isInFrame = false
        case .damaged: throw error(.damaged, at: damagedByte)
        case .windowTooLarge: throw error(.windowTooLarge, at: frameStart + 1)
        case .noMemory: throw error(.noMemory, at: consumed + 1)
        }
        return true
    }

    /// Returns false if there is no input between two frames.
    private mutating func beginFrameIfNeeded() throws(DecompressionError) -> Bool {
        guard !isInFrame else { return true }
        guard position < input.count else { return false }
        guard format.mayContinue(with: input[position]) else {
            throw error(.trailingBytes, at: consumed + 1)
        }
        gzip?.beginFrame()
        isInFrame = true
        frameStart = consumed
        return true
    }

    /// zlib has used the byte at which it fails, and libzstd has not used the damaged block.
    private var damagedByte: Int {
        switch format {
        case .gzip: max(1, consumed)
        case .zstd: consumed + 1
        }
    }

    private func error(
        _ problem: DecompressionError.Problem,
        at byte: Int
    ) -> DecompressionError {
        DecompressionError(problem: problem, byte: byte)
    }
}
