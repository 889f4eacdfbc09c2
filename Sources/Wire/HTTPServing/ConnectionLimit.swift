import NIOCore
import Synchronization

/// Counts open connections, so that clients cannot use up the process's descriptors.
///
/// A class, because all connections share it.
final class ConnectionLimit: Sendable {
    private let most: Int
    private let open = Atomic(0)

    init(most: Int) {
        self.most = most
    }

    /// Whether one more connection is within the limit; it counts in any case.
    func add() -> Bool { open.add(1, ordering: .relaxed).newValue <= most }

    func remove() { open.subtract(1, ordering: .relaxed) }
}

/// Closes a connection at once if too many are open.
///
/// A class, as NIO requires of handlers.
final class ConnectionLimitHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let limit: ConnectionLimit

    init(_ limit: ConnectionLimit) {
        self.limit = limit
    }

    func channelActive(context: ChannelHandlerContext) {
        guard limit.add() else { return context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        limit.remove()
        context.fireChannelInactive()
    }
}
