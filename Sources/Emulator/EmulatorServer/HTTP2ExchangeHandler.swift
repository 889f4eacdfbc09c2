import NIOCore
import NIOHPACK
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

    private let service: ExchangeService
    private var requests: [HTTP2StreamID: IncomingRequest] = [:]
    /// The answers that are decided but not sent, in order of decision.
    private var decided: [HTTP2Exchange] = []
    /// Streams whose answer is not completely sent, because of a fault script or a slow client.
    private var owed: Set<HTTP2StreamID> = []
    /// The last stream that is answered after GOAWAY.
    private var lastStream: HTTP2StreamID?
    /// The highest stream whose request has been handled.
    private var lastHandled = HTTP2StreamID.rootStream
    /// Nothing is read or answered from now on, not even the rest of the current packet.
    private var isOver = false
    /// The connection is about to close.
    private var isEnding = false
    private var creditedBytes = 0

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
        enlargeWindow(of: .rootStream, by: Self.connectionWindow - Self.initialWindow, context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers):
            if requests[frame.streamID] == nil, !isRefused(frame.streamID) {
                requests[frame.streamID] = IncomingRequest(headers: headers.headers)
            }
            if headers.endStream { finish(frame.streamID, context) }
        case .data(let data): collect(data, frame.streamID, context)
        case .rstStream: forget(frame.streamID)
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        deliverDecided(context)
        context.flush()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deliverDecided(context)
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let closed = event as? StreamClosedEvent else { return }
        forget(closed.streamID)
        if lastStream != nil { closeWhenDone(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO has already responded with RST_STREAM or GOAWAY.
        if error is NIOHTTP2Errors.StreamError { return }
        context.close(promise: nil)
    }

    /// Returns whether GOAWAY has excluded this stream.
    private func isRefused(_ stream: HTTP2StreamID) -> Bool {
        lastStream.map { stream > $0 } ?? false
    }

    private func forget(_ stream: HTTP2StreamID) {
        // Most streams close after their answer.
        if !requests.isEmpty { requests[stream] = nil }
        if !owed.isEmpty { owed.remove(stream) }
        decided.removeAll { $0.stream == stream }
    }

    private func collect(
        _ data: HTTP2Frame.FramePayload.Data,
        _ stream: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(var part) = data.data else { return }
        creditedBytes += part.readableBytes + (data.paddingBytes ?? 0)
        if creditedBytes > Self.connectionWindow / 2 {
            enlargeWindow(of: .rootStream, by: creditedBytes, context)
            creditedBytes = 0
        }
        let credit = requests[stream]?.collect(&part, data.paddingBytes ?? 0) ?? 0
        if data.endStream {
            finish(stream, context)
        } else if credit > 0 {
            enlargeWindow(of: stream, by: credit, context)
        }
    }

    private func enlargeWindow(
        of stream: HTTP2StreamID,
        by bytes: Int,
        _ context: ChannelHandlerContext
    ) {
        let update = HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: bytes)
        write(update, stream, context)
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload,
        _ stream: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        let frame = HTTP2Frame(streamID: stream, payload: payload)
        context.write(wrapOutboundOut(frame), promise: nil)
    }

    private func finish(_ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard let request = requests.removeValue(forKey: stream), !isOver else { return }
        let answer = service.respond(request.emulatorRequest)
        let isHead = request.method == "HEAD"
        decided.append(HTTP2Exchange(stream: stream, answer: answer, isHead: isHead))
        // A delivery that affects the connection must take effect before the next request.
        if answer.delivery != .whole { deliverDecided(context) }
    }

    private func complete(_ exchange: HTTP2Exchange, _ context: ChannelHandlerContext) {
        owed.insert(exchange.stream)
        context.eventLoop.complete(exchange.answer) { answer in
            guard context.channel.isActive, self.owed.contains(exchange.stream) else { return }
            var exchange = exchange
            exchange.answer = answer
            self.deliver(exchange, context)
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
                deliver(exchange, context)
            } else {
                complete(exchange, context)
            }
            lastHandled = max(lastHandled, exchange.stream)
        }
    }
}

/// A stream whose request is incomplete.
private struct IncomingRequest {
    let headers: HPACKHeaders
    private var body = RequestBody()
    private var creditedBytes = 0

    init(headers: HPACKHeaders) {
        self.headers = headers
    }

    var method: String { headers.first(name: ":method") ?? "" }

    /// Returns the number of bytes by which the stream's window must grow now.
    mutating func collect(_ part: inout ByteBuffer, _ padding: Int) -> Int {
        creditedBytes += part.readableBytes + padding
        body.collect(&part)
        guard creditedBytes > HTTP2ExchangeHandler.streamWindow / 2 else { return 0 }
        defer { creditedBytes = 0 }
        return creditedBytes
    }

    var emulatorRequest: EmulatorRequest {
        let fields = RequestFields(headers)
        return EmulatorRequest(
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
private struct HTTP2Exchange {
    let stream: HTTP2StreamID
    var answer: RenderedAnswer
    let isHead: Bool

    var hasBody: Bool { !isHead && answer.mayHaveBody }
}

// The delivery of answers.
extension HTTP2ExchangeHandler {
    private func deliver(_ exchange: HTTP2Exchange, _ context: ChannelHandlerContext) {
        let stream = exchange.stream
        switch exchange.answer.delivery {
        case .whole: writeWhole(exchange, context)
        case .delayed(let milliseconds):
            owed.insert(stream)
            after(milliseconds, stream, context) { $0.writeWhole(exchange, context) }
        case .slow(let bytesPerSecond):
            owed.insert(stream)
            writeHead(exchange, context)
            let pace = ThrottledBody(bytesPerSecond: bytesPerSecond)
            writeSlowly(exchange, from: 0, pace, context)
        case .truncated(let count):
            writeHead(exchange, isCut: true, context)
            // At least the last byte is missing.
            let end = max(0, min(count, exchange.answer.bytes.count - 1))
            writeBody(exchange, 0..<end, isLast: false, context)
            // On a reset, NIO drops the unsent data of a stream.
            context.flush()
            write(.rstStream(.internalError), stream, context)
        case .never: owed.insert(stream)
        case .halfOpen:
            isOver = true
            context.flush()
            context.channel.fallSilent()
        case .resetConnection:
            isOver = true
            context.flush()
            context.triggerUserOutboundEvent(ConnectionReset(), promise: nil)
        case .resetStream(let code):
            write(.rstStream(HTTP2ErrorCode(networkCode: Int(code))), stream, context)
        case .goAway(let code, let mark): sendAway(exchange, code, mark, context)
        }
    }

    /// Sends GOAWAY without declaring any handled stream as unhandled.
    ///
    /// If a later stream has already been answered, a stream that must not be answered is refused
    /// individually.
    private func sendAway(
        _ exchange: HTTP2Exchange,
        _ code: UInt32,
        _ mark: GoAwayMark,
        _ context: ChannelHandlerContext
    ) {
        let isAnswered = mark == .thisStream
        // The streams of a client have odd numbers (RFC 9113, section 5.1.1).
        let before = HTTP2StreamID(max(0, Int(exchange.stream) - 2))
        let own = isAnswered ? exchange.stream : before
        let last = min(max(own, lastHandled), lastStream ?? .maxID)
        lastStream = last
        context.writeGoAway(lastStream: last, errorCode: code)
        for stream in requests.keys where stream > last { requests[stream] = nil }
        for stream in owed where stream > last { owed.remove(stream) }
        if isAnswered { return writeWhole(exchange, context) }
        if !isRefused(exchange.stream) {
            write(.rstStream(.refusedStream), exchange.stream, context)
        }
        closeWhenDone(context)
    }

    private func writeWhole(_ exchange: HTTP2Exchange, _ context: ChannelHandlerContext) {
        owed.insert(exchange.stream)
        writeHead(exchange, context)
        writeBody(exchange, 0..<exchange.answer.bytes.count, isLast: true, context)
    }

    private func writeHead(
        _ exchange: HTTP2Exchange,
        isCut: Bool = false,
        _ context: ChannelHandlerContext
    ) {
        var headers = HPACKHeaders()
        headers.reserveCapacity(4)
        headers.add(name: ":status", value: String(exchange.answer.status))
        exchange.answer.forEachField(hasLength: service.sendsContentLength) { name, value in
            headers.add(name: name, value: value)
        }
        let isLast = !isCut && (!exchange.hasBody || exchange.answer.bytes.isEmpty)
        write(.headers(.init(headers: headers, endStream: isLast)), exchange.stream, context)
    }

    private func writeBody(
        _ exchange: HTTP2Exchange,
        _ range: Range<Int>,
        isLast: Bool,
        _ context: ChannelHandlerContext
    ) {
        guard exchange.hasBody, !range.isEmpty else { return }
        let buffer = context.channel.allocator.buffer(bytes: exchange.answer.bytes[range])
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(buffer), endStream: isLast)
        write(.data(data), exchange.stream, context)
    }

    private func writeSlowly(
        _ exchange: HTTP2Exchange,
        from start: Int,
        _ pace: ThrottledBody,
        _ context: ChannelHandlerContext
    ) {
        let end = min(start + pace.bytes, exchange.answer.bytes.count)
        let isLast = !exchange.hasBody || end == exchange.answer.bytes.count
        writeBody(exchange, start..<end, isLast: isLast, context)
        guard !isLast else { return }
        after(pace.milliseconds, exchange.stream, context) {
            $0.writeSlowly(exchange, from: end, pace, context)
        }
    }

    /// Gives the client a second after GOAWAY to close the connection itself, so that it does not
    /// lose answers while it still sends.
    private func closeWhenDone(_ context: ChannelHandlerContext) {
        guard requests.isEmpty, owed.isEmpty, !isEnding else { return }
        isEnding = true
        closeOnceSent(context)
    }

    /// Closes the connection after one second, but not before the kernel has accepted all data.
    private func closeOnceSent(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            guard context.channel.isActive else { return }
            let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
            if (waiting ?? 0) > 0 {
                self.closeOnceSent(context)
            } else {
                context.close(promise: nil)
            }
        }
    }

    /// Performs an action later, unless the stream has ended by then.
    private func after(
        _ milliseconds: Int,
        _ stream: HTTP2StreamID,
        _ context: ChannelHandlerContext,
        _ action: @escaping (HTTP2ExchangeHandler) -> Void
    ) {
        let loop = context.eventLoop.assumeIsolated()
        loop.scheduleTask(in: .milliseconds(Int64(max(0, milliseconds)))) {
            guard context.channel.isActive, self.owed.contains(stream) else { return }
            action(self)
            context.flush()
        }
    }
}
