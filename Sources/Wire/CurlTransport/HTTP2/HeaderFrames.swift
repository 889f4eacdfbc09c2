/// Writes the frames of a request's header block (RFC 9113, sections 6.2 and 6.10).
///
/// Herald writes its own blocks, because libnghttp2 does not put access tokens into the HPACK
/// table. It would write a thousand characters with every request.
enum HeaderFrames {
    private static let headSize = 9
    private static let headers: UInt8 = 0x1
    private static let continuation: UInt8 = 0x9
    private static let endStream: UInt8 = 0x1
    private static let endHeaders: UInt8 = 0x4
    /// The frame size that every server accepts (RFC 9113, section 4.2).
    private static let pieceSize = 16 * 1024

    /// Appends the frames; `frame` is libnghttp2's whole HEADERS frame with the right stream and
    /// flags.
    @unsafe static func append(
        _ block: [UInt8],
        inPlaceOf frame: UnsafeBufferPointer<UInt8>,
        to output: inout [UInt8]
    ) {
        unsafe precondition(
            frame.count >= headSize && frame[3] == headers && frame[4] & ~endStream == endHeaders,
            "libnghttp2 wrote a different frame than it announced"
        )
        var rest = block[...]
        repeat {
            let piece = rest.prefix(pieceSize)
            rest = rest.dropFirst(pieceSize)
            let isFirst = piece.startIndex == block.startIndex
            let end = unsafe isFirst ? frame[4] & endStream : 0
            for shift in [16, 8, 0] { output.append(UInt8(piece.count >> shift & 0xff)) }
            output.append(isFirst ? headers : continuation)
            output.append(end | (rest.isEmpty ? endHeaders : 0))
            unsafe output.append(contentsOf: frame[5..<headSize])
            output += piece
        } while !rest.isEmpty
    }
}
