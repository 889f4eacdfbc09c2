import NIOCore

extension Channel {
    /// Keeps the connection open and stops all activity on it, including TLS and HTTP/2.
    ///
    /// To the client, it looks as if the server had lost power.
    func fallSilent() {
        do {
            try pipeline.syncOperations.addHandler(SilentHandler(), position: .first)
        } catch {
            close(promise: nil)
        }
    }
}

/// Discards all input and output.
///
/// A class, as NIO requires of handlers.
private final class SilentHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.succeed()
    }
}
