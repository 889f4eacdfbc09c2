import EmulatorAPI
import NIOCore
import NIOSSL

/// A proxy that accepts tunnels to Google's host names and answers in place of Google.
///
/// It refuses all other hosts, so that no traffic leaves the machine. A class, as NIO requires of
/// handlers; only the connection's event loop uses it.
final class InterceptingProxy: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Maximum size of a CONNECT request, in bytes.
    private static let headLimit = 16_384
    private static let hosts = Set(GoogleHosts.names)

    private let tls: NIOSSLContext
    private let service: ExchangeService
    private var received = ByteBuffer()

    init(tls: NIOSSLContext, service: ExchangeService) {
        self.tls = tls
        self.service = service
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        let bytes = received.readableBytesView
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            if bytes.count > Self.headLimit {
                refuse("431 Request Header Fields Too Large", in: context)
            }
            return
        }
        let line = String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self)
        let words = line.split(separator: " ")
        received.moveReaderIndex(to: end.upperBound)
        guard words.count == 3, words[0] == "CONNECT", Self.isGoogle(words[1]) else {
            return refuse("403 Forbidden", in: context)
        }
        open(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Returns whether an authority `HOST:443` belongs to Google.
    private static func isGoogle(_ authority: Substring) -> Bool {
        let parts = authority.lowercased().split(separator: ":")
        return parts.count == 2 && parts[1] == "443" && hosts.contains(String(parts[0]))
    }

    private func open(_ context: ChannelHandlerContext) {
        write("HTTP/1.1 200 Connection established\r\n\r\n", in: context)
        do {
            try context.pipeline.syncOperations.addHandlers(
                NIOSSLServerHandler(context: tls),
                ProtocolRecognition(service: service)
            )
        } catch {
            return context.fireErrorCaught(error)
        }
        if received.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(received)) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func refuse(_ status: String, in context: ChannelHandlerContext) {
        let text = "This proxy forwards only Google's host names to the FCM emulator.\n"
        write(
            "HTTP/1.1 \(status)\r\ncontent-type: text/plain\r\nconnection: close\r\n"
                + "content-length: \(text.utf8.count)\r\n\r\n\(text)",
            in: context
        )
        context.close(promise: nil)
    }

    private func write(_ text: String, in context: ChannelHandlerContext) {
        let buffer = context.channel.allocator.buffer(string: text)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }
}
