internal import HTTPTransport

/// A header field in HTTP/2 form.
struct HeaderField: Hashable {
    let name: [UInt8]
    let value: [UInt8]

    init(name: String, value: String) {
        self.name = Array(name.utf8)
        self.value = Array(value.utf8)
    }

    /// The field's size in an HPACK table (RFC 7541, section 4.1).
    var size: Int { name.count + value.count + 32 }
}

/// The header fields that consecutive requests share: all except the body's length (RFC 9113,
/// section 8.3.1).
///
/// A class, because the requests of an occurrence share one instance and compare it by identity.
final class HTTP2Fields {
    let fields: [HeaderField]
    /// Whether the body's length is sent, too.
    let hasLength: Bool
    private let method: HTTPRequest.Method
    private let url: String
    private let headers: [HTTPHeader]

    /// Connection-specific fields, which HTTP/2 forbids (RFC 9113, section 8.2.2).
    private static let unwanted: Set<String> = [
        "connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// - Throws: If a header would not remain a single header.
    init(_ request: HTTPRequest, at origin: Origin, agent: String) throws(TransportError) {
        method = request.method
        url = request.url
        headers = request.headers
        hasLength = Self.hasLength(request)
        var fields = [
            HeaderField(name: ":method", value: request.method.rawValue),
            HeaderField(name: ":scheme", value: "https"),
            HeaderField(name: ":authority", value: origin.authority),
            HeaderField(name: ":path", value: origin.path(in: request.url)),
            HeaderField(name: "user-agent", value: agent),
            HeaderField(name: "accept", value: "*/*"),
        ]
        for header in request.headers {
            try HeaderList.check(header)
            let name = header.name.lowercased()
            if !Self.unwanted.contains(name) {
                fields.append(HeaderField(name: name, value: header.value))
            }
        }
        self.fields = fields
    }

    /// Whether another request has the same fields.
    func isMade(for request: HTTPRequest) -> Bool {
        method == request.method && hasLength == Self.hasLength(request) && url == request.url
            && headers == request.headers
    }

    private static func hasLength(_ request: HTTPRequest) -> Bool {
        !request.body.isEmpty || request.method == .post || request.method == .patch
    }
}
