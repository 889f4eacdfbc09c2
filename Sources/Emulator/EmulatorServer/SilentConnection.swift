import NIOCore

extension Channel {
    /// Leaves the connection open and does nothing on it from now on, not even under TLS or HTTP/2:
    /// it looks as if the other side had lost its power.
    func fallSilent() {
        do {
            try pipeline.syncOperations.addHandler(SilentHandler(), position: .first)
        } catch {
            close(promise: nil)
        }
    }
}

/// Swallows what comes and what goes.
///
/// A class because NIO's handlers are.
private final class SilentHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        promise?.succeed()
    }
}
