import HTTPTransport
import NIOCore
import NIOHTTP1

/// Answers the requests of one connection.
///
/// A class, as NIO requires of handlers; only the connection's event loop uses it.
final class PageHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let respond: HTTPListener.Respond
    private var head: HTTPRequestHead?
    /// The number of bytes of the request's body, which are ignored.
    private var received = 0

    private static let longestBody = 64 << 10

    init(_ respond: @escaping HTTPListener.Respond) {
        self.respond = respond
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            received = 0
        case .body(let part):
            received += part.readableBytes
            if received > Self.longestBody { context.close(promise: nil) }
        case .end:
            guard let head = head.take() else { return }
            write(answer(to: head), to: head, in: context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(to head: HTTPRequestHead) -> HTTPAnswer {
        guard head.method == .GET || head.method == .HEAD else {
            let allowed = HTTPHeader(name: "Allow", value: "GET, HEAD")
            return HTTPAnswer(status: 405, headers: [allowed])
        }
        return respond(String(head.uri.prefix { $0 != "?" && $0 != "#" }))
    }

    private func write(
        _ answer: HTTPAnswer,
        to request: HTTPRequestHead,
        in context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        headers.add(name: "Content-Length", value: String(answer.body.count))
        headers.add(name: "Cache-Control", value: "no-store")
        headers.add(name: "X-Content-Type-Options", value: "nosniff")
        if !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: answer.status)
        let head = HTTPResponseHead(version: request.version, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD, !answer.body.isEmpty {
            let body = context.channel.allocator.buffer(bytes: answer.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        let channel = context.channel
        if !request.isKeepAlive { written.whenComplete { _ in channel.close(promise: nil) } }
    }
}
