import NIOCore
import NIOHTTP1
import Synchronization

/// What the connections share; a class so that every one of them has the same.
final class SharedCore: Sendable {
    private let core: Mutex<EmulatorCore>

    init(_ core: consuming sending EmulatorCore) {
        self.core = Mutex(core)
    }

    func handle(_ request: EmulatorRequest) -> RenderedAnswer {
        core.withLock { $0.handle(request) }
    }
}

/// One connection: collects a request, has it answered, writes the answer.
///
/// A class because NIO's handlers are; it is used on its connection's event loop only.
final class HTTPExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let core: SharedCore
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    private var isTooLarge = false

    init(core: SharedCore) {
        self.core = core
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(var part): collect(&part)
        case .end: finish(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        self.head = head
        body.clear()
        let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        isTooLarge = length > EmulatorRequest.bodyLimit
        guard head.headers.first(name: "expect")?.lowercased() == "100-continue" else { return }
        if isTooLarge {
            finish(context)
        } else {
            let go = HTTPResponseHead(version: head.version, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
        }
    }

    /// What is over the limit is read, so that the client gets to see the answer, but not kept.
    private func collect(_ part: inout ByteBuffer) {
        isTooLarge =
            isTooLarge || body.readableBytes + part.readableBytes > EmulatorRequest.bodyLimit
        if isTooLarge {
            body.clear(minimumCapacity: 0)
        } else if body.readableBytes == 0 {
            body = part
        } else {
            body.writeBuffer(&part)
        }
    }

    private func finish(_ context: ChannelHandlerContext) {
        guard let head = head.take() else { return }
        let request = EmulatorRequest(
            method: head.method.rawValue,
            target: head.uri,
            authorization: head.headers.first(name: "authorization"),
            body: Array(body.readableBytesView),
            isTooLarge: isTooLarge
        )
        body.clear(minimumCapacity: 0)
        write(core.handle(request), to: head, context)
    }

    private func write(
        _ answer: RenderedAnswer,
        to request: HTTPRequestHead,
        _ context: ChannelHandlerContext
    ) {
        let staysOpen = request.isKeepAlive && !isTooLarge
        var headers: HTTPHeaders = [
            "content-type": answer.contentType ?? "application/json; charset=UTF-8",
            "content-length": String(answer.bytes.count),
        ]
        if !staysOpen {
            headers.add(name: "connection", value: "close")
        } else if request.version == .http1_0 {
            headers.add(name: "connection", value: "keep-alive")
        }
        if !answer.allowedMethods.isEmpty {
            headers.add(name: "allow", value: answer.allowedMethods.joined(separator: ", "))
        }
        for header in answer.headers { headers.add(name: header.name, value: header.value) }
        let status = HTTPResponseStatus(statusCode: answer.status)
        let head = HTTPResponseHead(version: request.version, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD {
            let buffer = context.channel.allocator.buffer(bytes: answer.bytes)
            context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        }
        let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if !staysOpen { close(context, after: end) }
    }

    private func close(_ context: ChannelHandlerContext, after end: EventLoopFuture<Void>) {
        let channel = context.channel
        end.whenComplete { _ in channel.close(promise: nil) }
    }
}
