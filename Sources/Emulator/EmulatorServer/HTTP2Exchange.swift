import EmulatorAPI
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A stream whose request is incomplete.
struct IncomingRequest {
    let headers: HPACKHeaders
    private var body = RequestBody()
    private var creditedBytes = 0

    init(headers: HPACKHeaders) {
        self.headers = headers
    }

    var method: String { headers.first(name: ":method") ?? "" }

    /// Returns the number of bytes by which the stream's window must grow now.
    mutating func collect(_ part: inout ByteBuffer, padding: Int) -> Int {
        creditedBytes += part.readableBytes + padding
        body.collect(&part)
        guard creditedBytes > HTTP2ExchangeHandler.streamWindow / 2 else { return 0 }
        defer { creditedBytes = 0 }
        return creditedBytes
    }

    var emulatorRequest: EmulatorRequest {
        let fields = RequestFields(headers)
        var request = EmulatorRequest(
            method: fields.method ?? "",
            target: fields.path ?? "",
            authorization: fields.authorization,
            projectID: fields.projectID,
            host: fields.authority ?? fields.host,
            metadataFlavor: fields.metadataFlavor,
            origin: fields.origin,
            body: body.bytes,
            isTooLarge: body.isTooLarge
        )
        let headers = headers
        request.headers = { headers.map { (name: $0.name, value: $0.value) } }
        return request
    }
}

/// The header fields that the emulator uses; the first value of each counts.
///
/// Their names are in lower case, because other requests are refused earlier (RFC 9113, section
/// 8.2.1).
private struct RequestFields {
    private(set) var method: String?
    private(set) var path: String?
    private(set) var authority: String?
    private(set) var authorization: String?
    private(set) var projectID: String?
    private(set) var host: String?
    private(set) var metadataFlavor: String?
    private(set) var origin: String?

    init(_ headers: HPACKHeaders) {
        for (name, value, _) in headers {
            switch name {
            case ":method": method = method ?? value
            case ":path": path = path ?? value
            case ":authority": authority = authority ?? value
            case "authorization": authorization = authorization ?? value
            case "project_id": projectID = projectID ?? value
            case "host": host = host ?? value
            case "metadata-flavor": metadataFlavor = metadataFlavor ?? value
            case "origin": origin = origin ?? value
            default: break
            }
        }
    }
}

/// An answered HTTP/2 request.
struct HTTP2Exchange {
    let stream: HTTP2StreamID
    var answer: RenderedAnswer
    let isHead: Bool

    var hasBody: Bool { !isHead && answer.mayHaveBody }
}
