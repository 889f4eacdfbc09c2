import HTTPTransport
import NIOCore
import NIOHTTP1

/// Collects the requests of one connection, and answers each of them.
///
/// A class, as NIO requires of handlers; only the connection's event loop uses it. The pipeline's
/// handlers hold a pipelined request back until the previous one is answered.
final class ReceivingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let longestBody: Int
    private let respond: HTTPReceiver.Respond
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isTooLong = false
    private var deadline: Scheduled<Void>?

    /// How long a request may take to arrive.
    private static let longestRequest = TimeAmount.seconds(30)

    init(longestBody: Int, respond: @escaping HTTPReceiver.Respond) {
        self.longestBody = longestBody
        self.respond = respond
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, in: context)
        case .body(let part):
            guard !isTooLong else { return }
            isTooLong = body.count + part.readableBytes > longestBody
            if isTooLong { refuse(in: context) } else { body += part.readableBytesView }
        case .end: finish(in: context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func begin(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
        self.head = head
        body = []
        isTooLong = false
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: Self.longestRequest) {
            channel.close(promise: nil)
        }
        if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
            let interim = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
        }
    }

    /// The rest of the body is not read.
    private func refuse(in context: ChannelHandlerContext) {
        deadline?.cancel()
        guard let head = head.take() else { return }
        write(HTTPAnswer(status: 413), to: head, closing: true, in: context)
    }

    private func finish(in context: ChannelHandlerContext) {
        deadline?.cancel()
        guard let head = head.take() else { return }
        let request = ReceivedRequest(
            method: head.method.rawValue,
            path: String(head.uri.prefix { $0 != "?" && $0 != "#" }),
            headers: head.headers.map { HTTPHeader(name: $0.name, value: $0.value) },
            body: body
        )
        let answered = context.eventLoop.makePromise(of: HTTPAnswer.self)
        answered.completeWithTask { [respond] in await respond(request) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        answered.futureResult.whenSuccess { answer in
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            handler.write(answer, to: head, closing: !head.isKeepAlive, in: context)
        }
    }

    private func write(
        _ answer: HTTPAnswer,
        to request: HTTPRequestHead,
        closing: Bool,
        in context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
        headers.add(name: "Content-Length", value: String(answer.body.count))
        headers.add(name: "Cache-Control", value: "no-store")
        headers.add(name: "X-Content-Type-Options", value: "nosniff")
        if closing { headers.add(name: "Connection", value: "close") }
        let status = HTTPResponseStatus(statusCode: answer.status)
        let head = HTTPResponseHead(version: request.version, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD, !answer.body.isEmpty {
            let body = context.channel.allocator.buffer(bytes: answer.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let written = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        let channel = context.channel
        if closing { written.whenComplete { _ in channel.close(promise: nil) } }
    }
}
