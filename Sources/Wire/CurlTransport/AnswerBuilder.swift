internal import HTTPTransport

/// Assembles an answer from the pieces that arrive.
struct AnswerBuilder {
    /// The largest body, in bytes.
    ///
    /// Answers of the services behind this port are smaller by orders of magnitude.
    static let bodyLimit = 16 * 1024 * 1024

    private var headers: [HTTPHeader] = []
    private var body: [UInt8] = []
    private var isInHeaders = false
    private var version = HTTPAnswer.Version.http1

    /// Takes a line of a header section, including its line break.
    ///
    /// A status line starts over, because everything before it is an interim answer (1xx) or a
    /// proxy's. Lines after the empty line are trailers of a chunked body and are dropped.
    mutating func receive(headerLine line: UnsafeBufferPointer<UInt8>) {
        let line = unsafe Self.trimmed(Slice(base: line, bounds: 0..<line.count))
        if unsafe line.starts(with: "HTTP/".utf8) {
            headers.removeAll(keepingCapacity: true)
            isInHeaders = true
        } else if unsafe line.isEmpty {
            isInHeaders = false
        } else if isInHeaders, let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")) {
            let name = unsafe Self.trimmed(line[..<colon])
            let value = unsafe Self.trimmed(line[(colon + 1)...])
            headers.append(
                unsafe HTTPHeader(
                    name: String(decoding: name, as: UTF8.self),
                    value: String(decoding: value, as: UTF8.self)
                )
            )
        }
    }

    /// Takes one field of an HTTP/2 answer.
    ///
    /// A status starts a new header section and is returned; other fields return nil.
    mutating func receive(
        name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        if unsafe name.elementsEqual(":status".utf8) {
            headers.removeAll(keepingCapacity: true)
            isInHeaders = true
            version = .http2
            return unsafe Int(String(decoding: value, as: UTF8.self))
        }
        guard isInHeaders else { return nil }
        headers.append(
            unsafe HTTPHeader(
                name: String(decoding: name, as: UTF8.self),
                value: String(decoding: value, as: UTF8.self)
            )
        )
        return nil
    }

    /// Ends the header section; the body and possibly trailers follow, and trailers are dropped.
    mutating func endHeaders() {
        isInHeaders = false
    }

    /// Returns false if the body exceeds the limit.
    mutating func receive(body piece: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + piece.count <= Self.bodyLimit else { return false }
        unsafe body.append(contentsOf: piece)
        return true
    }

    /// Returns the answer and empties the builder.
    mutating func finish(status: Int) -> HTTPAnswer {
        let answer = HTTPAnswer(
            status: status,
            headers: headers,
            body: body,
            version: version
        )
        self = AnswerBuilder()
        return answer
    }

    private static func trimmed(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        var bytes = unsafe bytes
        while let last = unsafe bytes.last, isSpace(last) { unsafe bytes.removeLast() }
        while let first = unsafe bytes.first, isSpace(first) { unsafe bytes.removeFirst() }
        return unsafe bytes
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a
    }
}
