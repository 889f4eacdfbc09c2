import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Distinguishes HTTP/2 from HTTP/1.1 by the first bytes of a connection, and installs the suitable
/// handlers.
///
/// A class, as NIO requires of handlers. It works with and without TLS: HTTP/2 starts with a
/// preface that is not a valid HTTP/1.1 request, regardless of any negotiation (RFC 9113, section
/// 3.4).
final class ProtocolRecognition: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let service: ExchangeService
    private var received = ByteBuffer()

    init(service: ExchangeService) {
        self.service = service
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        let start = received.readableBytesView.prefix(Self.preface.count)
        let isPreface = Self.preface.starts(with: start)
        guard !isPreface || start.count == Self.preface.count else { return }
        do {
            try isPreface ? speakHTTP2(context) : speakHTTP1(context)
        } catch {
            return context.fireErrorCaught(error)
        }
        context.fireChannelRead(wrapInboundOut(received))
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func speakHTTP1(_ context: ChannelHandlerContext) throws {
        let pipeline = context.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline()
        try pipeline.addHandler(HTTPExchangeHandler(service: service))
    }

    private func speakHTTP2(_ context: ChannelHandlerContext) throws {
        let settings = HTTP2ExchangeHandler.settings(service)
        try context.pipeline.syncOperations.addHandlers([
            NIOHTTP2Handler(mode: .server, initialSettings: settings),
            HTTP2ExchangeHandler(service: service),
        ])
    }
}
