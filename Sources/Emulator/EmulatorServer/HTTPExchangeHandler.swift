import EmulatorAPI
import NIOCore
import NIOHTTP1

/// The handler of one HTTP/1.1 connection: it collects each request and writes its answer.
///
/// A class, as NIO requires of handlers; only the connection's event loop uses it.
final class HTTPExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: ExchangeService
    private var head: HTTPRequestHead?
    private var body = RequestBody()
    /// Whether a complete request waits, because the client does not read the answers before it.
    ///
    /// NIO passes on the next request only after its answer, so that there is at most one.
    private var isWaiting = false

    init(service: ExchangeService) {
        self.service = service
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, in: context)
        case .body(var part): body.collect(&part)
        case .end: finish(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isWaiting, context.channel.isWritable { finish(context) }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func begin(_ head: HTTPRequestHead, in context: ChannelHandlerContext) {
        self.head = head
        let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        body = RequestBody(length: length)
        guard head.headers.first(name: "expect")?.lowercased() == "100-continue" else { return }
        if body.isTooLarge {
            finish(context)
        } else {
            let go = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
        }
    }

    private func finish(_ context: ChannelHandlerContext) {
        isWaiting = head != nil && !context.channel.isWritable
        guard !isWaiting, let head = head.take() else { return }
        var request = EmulatorRequest(
            method: head.method.rawValue,
            target: head.uri.originForm,
            authorization: head.headers.first(name: "authorization"),
            projectID: head.headers.first(name: "project_id"),
            host: head.headers.first(name: "host"),
            metadataFlavor: head.headers.first(name: "metadata-flavor"),
            origin: head.headers.first(name: "origin"),
            body: body.bytes,
            isTooLarge: body.isTooLarge
        )
        let headers = head.headers
        request.headers = { headers.map { (name: $0.name, value: $0.value) } }
        body = RequestBody()
        let isTooLarge = request.isTooLarge
        service.complete(service.answer(request), on: context.eventLoop) { answer in
            let exchange = HTTPExchange(
                request: head,
                answer: answer,
                isTooLarge: isTooLarge,
                service: self.service
            )
            if context.channel.isActive { self.deliver(exchange, in: context) }
        }
    }
}

/// An answered HTTP/1.1 request.
private struct HTTPExchange {
    let answer: RenderedAnswer
    let head: HTTPResponseHead
    let hasBody: Bool
    let staysOpen: Bool

    init(
        request: HTTPRequestHead,
        answer: RenderedAnswer,
        isTooLarge: Bool,
        service: ExchangeService
    ) {
        self.answer = answer
        hasBody = request.method != .HEAD && answer.mayHaveBody
        var staysOpen = request.isKeepAlive && !isTooLarge
        if case .goAway = answer.delivery { staysOpen = false }
        // In HTTP/1.0, a body without a length ends with the connection.
        if request.version == .http1_0, !service.sendsContentLength { staysOpen = false }
        // NIO reads no further request after one that offers another protocol, as Java's client does.
        if request.headers.contains(name: "upgrade") { staysOpen = false }
        var headers = HTTPHeaders()
        answer.forEachField(hasLength: service.sendsContentLength) { name, value in
            headers.add(name: name, value: value)
        }
        if !staysOpen {
            headers.add(name: "connection", value: "close")
        } else if request.version == .http1_0 {
            headers.add(name: "connection", value: "keep-alive")
        }
        let status = HTTPResponseStatus(statusCode: answer.status)
        head = HTTPResponseHead(version: request.version, status: status, headers: headers)
        self.staysOpen = staysOpen
    }
}

// The delivery of answers.
extension HTTPExchangeHandler {
    private func deliver(_ exchange: HTTPExchange, in context: ChannelHandlerContext) {
        switch exchange.answer.delivery {
        case .whole, .goAway(_, .thisStream): writeWhole(exchange, in: context)
        case .goAway(_, .beforeThisStream): context.close(promise: nil)
        case .delayed(let milliseconds):
            after(milliseconds, in: context) { $0.writeWhole(exchange, in: context) }
        case .slow(let bytesPerSecond):
            writeHead(exchange, in: context)
            let pace = ThrottledBody(bytesPerSecond: bytesPerSecond)
            writeSlowly(exchange, from: 0, pace: pace, in: context)
        case .truncated(let count):
            writeHead(exchange, in: context)
            // At least the last byte is missing.
            writeBody(
                exchange,
                range: 0..<max(0, min(count, exchange.answer.bytes.count - 1)),
                in: context
            )
            let nothing = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer()))
            close(context.channel, after: context.writeAndFlush(wrapOutboundOut(nothing)))
        case .never: break
        case .halfOpen: context.channel.fallSilent()
        case .resetConnection, .resetStream:
            context.triggerUserOutboundEvent(ConnectionReset(), promise: nil)
        }
    }

    private func writeWhole(_ exchange: HTTPExchange, in context: ChannelHandlerContext) {
        writeHead(exchange, in: context)
        writeBody(exchange, range: 0..<exchange.answer.bytes.count, in: context)
        writeEnd(exchange, in: context)
    }

    private func writeHead(_ exchange: HTTPExchange, in context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
    }

    private func writeBody(
        _ exchange: HTTPExchange,
        range: Range<Int>,
        in context: ChannelHandlerContext
    ) {
        guard exchange.hasBody, !range.isEmpty else { return }
        let buffer = context.channel.allocator.buffer(bytes: exchange.answer.bytes[range])
        context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
    }

    private func writeEnd(_ exchange: HTTPExchange, in context: ChannelHandlerContext) {
        let isWritten = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if !exchange.staysOpen { close(context.channel, after: isWritten) }
    }

    private func writeSlowly(
        _ exchange: HTTPExchange,
        from start: Int,
        pace: ThrottledBody,
        in context: ChannelHandlerContext
    ) {
        let end = min(start + pace.bytes, exchange.answer.bytes.count)
        writeBody(exchange, range: start..<end, in: context)
        guard exchange.hasBody, end < exchange.answer.bytes.count else {
            return writeEnd(exchange, in: context)
        }
        context.flush()
        after(pace.milliseconds, in: context) {
            $0.writeSlowly(exchange, from: end, pace: pace, in: context)
        }
    }

    /// Closes the connection after all data has been sent, even if the kernel does not accept it at
    /// once.
    private func close(_ channel: any Channel, after written: EventLoopFuture<Void>) {
        written.whenComplete { _ in channel.close(promise: nil) }
    }

    private func after(
        _ milliseconds: Int,
        in context: ChannelHandlerContext,
        action: @escaping (HTTPExchangeHandler) -> Void
    ) {
        let loop = context.eventLoop.assumeIsolated()
        loop.scheduleTask(in: .milliseconds(Int64(max(0, milliseconds)))) {
            if context.channel.isActive { action(self) }
        }
    }
}
