import EmulatorAPI
import NIOCore
import NIOHTTP2

/// The handler of one HTTP/2 connection: it collects the requests of all streams and writes the
/// answers of one read together.
///
/// A class, as NIO requires of handlers; only the connection's event loop uses it.
///
/// It processes the frames of the connection itself, because a stream's channel can neither send
/// GOAWAY nor reset a stream with a code. This also avoids one channel per request.
final class HTTP2ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let service: ExchangeService
    var requests: [HTTP2StreamID: IncomingRequest] = [:]
    /// The answers that are decided but not sent, in order of decision.
    private var decided: [HTTP2Exchange] = []
    /// Streams whose answer is not completely sent, because of a fault script or a slow client.
    var owed: Set<HTTP2StreamID> = []
    /// The last stream that is answered after GOAWAY.
    var lastStream: HTTP2StreamID?
    /// The highest stream whose request has been handled.
    var lastHandled = HTTP2StreamID.rootStream
    /// Nothing is read or answered from now on, not even the rest of the current packet.
    var isOver = false
    /// The connection is about to close.
    var isEnding = false
    private var creditedBytes = 0
    /// Complete requests that wait, because the client does not read the answers before them.
    private var waiting: [(stream: HTTP2StreamID, request: IncomingRequest)] = []
    /// The sizes of large answers whose streams are still open.
    private var unread: [HTTP2StreamID: Int] = [:]
    private var unreadBytes = 0

    /// Answers of this size and above are counted; smaller ones of all streams take little memory.
    private static let largeAnswer = 16_384
    /// No request is answered while at least this many bytes of large answers are unread.
    private static let mostUnread = 1_048_576

    init(service: ExchangeService) {
        self.service = service
    }

    /// Initial flow-control windows for the client's data, per stream and per connection.
    static let streamWindow = 1_048_576
    static let connectionWindow = 16 * 1_048_576
    /// The initial window of a connection (RFC 9113, section 6.9.2).
    private static let initialWindow = 65_535

    static func settings(_ service: ExchangeService) -> HTTP2Settings {
        [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: service.maxConcurrentStreams),
            HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16_384),
        ]
    }

    func handlerAdded(context: ChannelHandlerContext) {
        enlargeWindow(of: .rootStream, by: Self.connectionWindow - Self.initialWindow, in: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers):
            if requests[frame.streamID] == nil, !isRefused(frame.streamID) {
                requests[frame.streamID] = IncomingRequest(headers: headers.headers)
            }
            if headers.endStream { finish(frame.streamID, in: context) }
        case .data(let data): collect(data, from: frame.streamID, in: context)
        case .rstStream: forget(frame.streamID)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        deliverDecided(context)
        context.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        resume(context)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deliverDecided(context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let closed = event as? StreamClosedEvent else { return }
        forget(closed.streamID)
        resume(context)
        if lastStream != nil { closeWhenDone(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO has already responded with RST_STREAM or GOAWAY.
        if error is NIOHTTP2Errors.StreamError { return }
        context.close(promise: nil)
    }

    /// Returns whether GOAWAY has excluded this stream.
    func isRefused(_ stream: HTTP2StreamID) -> Bool {
        lastStream.map { stream > $0 } ?? false
    }

    private func forget(_ stream: HTTP2StreamID) {
        // Most streams close after their answer.
        if !requests.isEmpty { requests[stream] = nil }
        if !owed.isEmpty { owed.remove(stream) }
        if !unread.isEmpty { unreadBytes -= unread.removeValue(forKey: stream) ?? 0 }
        if !waiting.isEmpty { waiting.removeAll { $0.stream == stream } }
        decided.removeAll { $0.stream == stream }
    }

    /// Counts an answer that is about to be written.
    func count(_ exchange: HTTP2Exchange) {
        let size = exchange.answer.bytes.count
        guard size >= Self.largeAnswer, unread[exchange.stream] == nil else { return }
        unread[exchange.stream] = size
        unreadBytes += size
    }

    private func isBehind(_ context: ChannelHandlerContext) -> Bool {
        unreadBytes >= Self.mostUnread || !context.channel.isWritable
    }

    /// Answers the requests that wait, as far as the client reads.
    private func resume(_ context: ChannelHandlerContext) {
        guard !waiting.isEmpty else { return }
        while let next = waiting.first, !isBehind(context) {
            waiting.removeFirst()
            respond(to: next.request, on: next.stream, in: context)
            deliverDecided(context)
        }
        context.flush()
    }

    private func collect(
        _ data: HTTP2Frame.FramePayload.Data,
        from stream: HTTP2StreamID,
        in context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(var part) = data.data else { return }
        creditedBytes += part.readableBytes + (data.paddingBytes ?? 0)
        if creditedBytes > Self.connectionWindow / 2 {
            enlargeWindow(of: .rootStream, by: creditedBytes, in: context)
            creditedBytes = 0
        }
        let credit = requests[stream]?.collect(&part, padding: data.paddingBytes ?? 0) ?? 0
        if data.endStream {
            finish(stream, in: context)
        } else if credit > 0 {
            enlargeWindow(of: stream, by: credit, in: context)
        }
    }

    private func enlargeWindow(
        of stream: HTTP2StreamID,
        by bytes: Int,
        in context: ChannelHandlerContext
    ) {
        let update = HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: bytes)
        write(update, on: stream, in: context)
    }

    func write(
        _ payload: HTTP2Frame.FramePayload,
        on stream: HTTP2StreamID,
        in context: ChannelHandlerContext
    ) {
        let frame = HTTP2Frame(streamID: stream, payload: payload)
        context.write(wrapOutboundOut(frame), promise: nil)
    }

    private func finish(_ stream: HTTP2StreamID, in context: ChannelHandlerContext) {
        guard let request = requests.removeValue(forKey: stream), !isOver else { return }
        guard waiting.isEmpty, !isBehind(context) else {
            return waiting.append((stream, request))
        }
        respond(to: request, on: stream, in: context)
    }

    private func respond(
        to request: IncomingRequest,
        on stream: HTTP2StreamID,
        in context: ChannelHandlerContext
    ) {
        let answer = service.respond(request.emulatorRequest)
        let isHead = request.method == "HEAD"
        decided.append(HTTP2Exchange(stream: stream, answer: answer, isHead: isHead))
        // A delivery that affects the connection must take effect before the next request.
        if answer.delivery != .whole { deliverDecided(context) }
    }

    private func complete(_ exchange: HTTP2Exchange, in context: ChannelHandlerContext) {
        owed.insert(exchange.stream)
        service.complete(exchange.answer, on: context.eventLoop) { answer in
            guard context.channel.isActive, self.owed.contains(exchange.stream) else { return }
            var exchange = exchange
            exchange.answer = answer
            self.deliver(exchange, in: context)
            context.flush()
        }
    }

    /// Records all requests of one read together, and then answers them.
    private func deliverDecided(_ context: ChannelHandlerContext) {
        guard !decided.isEmpty else { return }
        let exchanges = decided
        decided.removeAll(keepingCapacity: true)
        let lost = service.settle()
        for var exchange in exchanges {
            if let lost { exchange.answer = lost.replacing(exchange.answer) }
            if exchange.answer.isReady {
                deliver(exchange, in: context)
            } else {
                complete(exchange, in: context)
            }
            lastHandled = max(lastHandled, exchange.stream)
        }
    }
}
