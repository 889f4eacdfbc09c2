import EmulatorAPI
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The milliseconds between a truncated answer and the reset of its stream, which a client needs to
/// read the answer first.
private let truncationPause = 50

// The delivery of answers.
extension HTTP2ExchangeHandler {
    func deliver(_ exchange: HTTP2Exchange, in context: ChannelHandlerContext) {
        let stream = exchange.stream
        count(exchange)
        switch exchange.answer.delivery {
        case .whole: writeWhole(exchange, in: context)
        case .delayed(let milliseconds):
            owed.insert(stream)
            after(milliseconds, on: stream, in: context) { $0.writeWhole(exchange, in: context) }
        case .slow(let bytesPerSecond):
            owed.insert(stream)
            writeHead(exchange, in: context)
            let pace = ThrottledBody(bytesPerSecond: bytesPerSecond)
            writeSlowly(exchange, from: 0, pace: pace, in: context)
        case .truncated(let count):
            writeHead(exchange, isCut: true, in: context)
            // At least the last byte is missing.
            let end = max(0, min(count, exchange.answer.bytes.count - 1))
            writeBody(exchange, range: 0..<end, isLast: false, in: context)
            // On a reset, NIO drops the unsent data of a stream, and a client drops data that it
            // reads together with the reset.
            owed.insert(stream)
            after(truncationPause, on: stream, in: context) {
                $0.write(.rstStream(.internalError), on: stream, in: context)
            }
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
            write(.rstStream(HTTP2ErrorCode(networkCode: Int(code))), on: stream, in: context)
        case .goAway(let code, let mark): sendAway(exchange, code: code, mark: mark, in: context)
        }
    }

    /// Sends GOAWAY without declaring any handled stream as unhandled.
    ///
    /// If a later stream has already been answered, a stream that must not be answered is refused
    /// individually.
    private func sendAway(
        _ exchange: HTTP2Exchange,
        code: UInt32,
        mark: GoAwayMark,
        in context: ChannelHandlerContext
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
        if isAnswered { return writeWhole(exchange, in: context) }
        if !isRefused(exchange.stream) {
            write(.rstStream(.refusedStream), on: exchange.stream, in: context)
        }
        closeWhenDone(context)
    }

    private func writeWhole(_ exchange: HTTP2Exchange, in context: ChannelHandlerContext) {
        owed.insert(exchange.stream)
        writeHead(exchange, in: context)
        writeBody(exchange, range: 0..<exchange.answer.bytes.count, isLast: true, in: context)
    }

    private func writeHead(
        _ exchange: HTTP2Exchange,
        isCut: Bool = false,
        in context: ChannelHandlerContext
    ) {
        var headers = HPACKHeaders()
        headers.reserveCapacity(4)
        headers.add(name: ":status", value: String(exchange.answer.status))
        exchange.answer.forEachField(hasLength: service.sendsContentLength) { name, value in
            headers.add(name: name, value: value)
        }
        let isLast = !isCut && (!exchange.hasBody || exchange.answer.bytes.isEmpty)
        write(
            .headers(.init(headers: headers, endStream: isLast)),
            on: exchange.stream,
            in: context
        )
    }

    private func writeBody(
        _ exchange: HTTP2Exchange,
        range: Range<Int>,
        isLast: Bool,
        in context: ChannelHandlerContext
    ) {
        guard exchange.hasBody, !range.isEmpty else { return }
        let buffer = context.channel.allocator.buffer(bytes: exchange.answer.bytes[range])
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(buffer), endStream: isLast)
        write(.data(data), on: exchange.stream, in: context)
    }

    private func writeSlowly(
        _ exchange: HTTP2Exchange,
        from start: Int,
        pace: ThrottledBody,
        in context: ChannelHandlerContext
    ) {
        let end = min(start + pace.bytes, exchange.answer.bytes.count)
        let isLast = !exchange.hasBody || end == exchange.answer.bytes.count
        writeBody(exchange, range: start..<end, isLast: isLast, in: context)
        guard !isLast else { return }
        after(pace.milliseconds, on: exchange.stream, in: context) {
            $0.writeSlowly(exchange, from: end, pace: pace, in: context)
        }
    }

    /// Gives the client a second after GOAWAY to close the connection itself, so that it does not
    /// lose answers while it still sends.
    func closeWhenDone(_ context: ChannelHandlerContext) {
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
        on stream: HTTP2StreamID,
        in context: ChannelHandlerContext,
        action: @escaping (HTTP2ExchangeHandler) -> Void
    ) {
        let loop = context.eventLoop.assumeIsolated()
        loop.scheduleTask(in: .milliseconds(Int64(max(0, milliseconds)))) {
            guard context.channel.isActive, self.owed.contains(stream) else { return }
            action(self)
            context.flush()
        }
    }
}
