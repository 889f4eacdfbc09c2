internal import CLibNGHTTP2
internal import HTTPTransport

/// The header fields of a request as HTTP/2 carries them (RFC 9113, section 8.3.1).
struct HTTP2Fields {
    private var bytes: [UInt8] = []
    /// Where each name and value ends.
    private var ends: [Int] = []

    /// The connection's own fields, which HTTP/2 has no place for (RFC 9113, section 8.2.2).
    private static let unwanted: Set<String> = [
        "connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// - Throws: Where a header would not stay one header.
    init(_ request: HTTPRequest, at origin: Origin, agent: String) throws(TransportError) {
        add(":method", request.method.rawValue)
        add(":scheme", "https")
        add(":authority", origin.authority)
        add(":path", origin.path(in: request.url))
        add("user-agent", agent)
        add("accept", "*/*")
        if !request.body.isEmpty || request.method == .post || request.method == .patch {
            add("content-length", String(request.body.count))
        }
        for header in request.headers {
            try HeaderList.check(header)
            let name = header.name.lowercased()
            if !Self.unwanted.contains(name) { add(name, header.value) }
        }
    }

    private mutating func add(_ name: String, _ value: String) {
        bytes += name.utf8
        ends.append(bytes.count)
        bytes += value.utf8
        ends.append(bytes.count)
    }

    /// The entries are valid as long as the body runs.
    func withEntries<Value>(_ body: (UnsafeBufferPointer<nghttp2_nv>) -> Value) -> Value {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            // libnghttp2 copies them and changes nothing; its type is not const.
            let start = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
            var first = 0
            var entries: [nghttp2_nv] = unsafe []
            unsafe entries.reserveCapacity(ends.count / 2)
            for index in stride(from: 0, to: ends.count, by: 2) {
                let (middle, end) = (ends[index], ends[index + 1])
                unsafe entries.append(
                    nghttp2_nv(
                        name: start.map { unsafe $0 + first },
                        value: start.map { unsafe $0 + middle },
                        namelen: middle - first,
                        valuelen: end - middle,
                        flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
                    )
                )
                first = end
            }
            return unsafe entries.withUnsafeBufferPointer(body)
        }
    }
}
