import NIOCore

import Glibc

/// Asks a connection to end with a TCP RST, without a word to the client.
struct ConnectionReset: Sendable {}

/// Performs `ConnectionReset`.
///
/// A class because NIO's handlers are. It stands first in the pipeline, so that closing passes by
/// TLS, which would say goodbye.
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
        let set = socket?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        let closed = set ?? context.eventLoop.makeSucceededVoidFuture()
        closed.assumeIsolated().whenComplete { _ in context.close(promise: promise) }
    }
}
