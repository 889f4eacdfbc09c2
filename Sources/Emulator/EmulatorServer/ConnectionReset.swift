import NIOCore
import SystemIO

/// A user event that ends a connection with a TCP RST, without notice to the client.
struct ConnectionReset: Sendable {}

/// Performs `ConnectionReset`.
///
/// A class, as NIO requires of handlers. It is first in the pipeline, so that closing bypasses TLS,
/// which would otherwise send a close notification.
final class ConnectionResetHandler: ChannelOutboundHandler {
    typealias OutboundIn = NIOAny

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        guard event is ConnectionReset else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        let socket = context.channel as? any SocketOptionProvider
        let set = socket?.setSoLinger(SocketOption.closingWithReset)
        let closed = set ?? context.eventLoop.makeSucceededVoidFuture()
        closed.assumeIsolated().whenComplete { _ in context.close(promise: promise) }
    }
}
