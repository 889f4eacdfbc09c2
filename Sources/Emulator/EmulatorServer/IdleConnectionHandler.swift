import NIOCore

/// Closes a connection on which nothing is received or sent for a long time.
///
/// A class, as NIO requires of handlers.
final class IdleConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
