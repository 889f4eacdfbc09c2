import DeliveryModel
import EmulatorXMPP
import NIOCore

/// The handler of one app server's XMPP connection.
///
/// A class, as NIO requires of handlers; only the connection's event loop uses it.
final class XMPPHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Ends the stream in order.
    struct StreamEnd: Sendable {}

    private let hub: AppServerHub
    private let number: Int
    private var session: XMPPSession
    private var server: AppServer?
    /// Whether the hub knows the connection.
    private var isOpen = false

    /// How long a peer may take until it has bound its resource.
    private static let loginLimit = TimeAmount.seconds(30)

    init(hub: AppServerHub) {
        self.hub = hub
        number = hub.nextNumber()
        session = XMPPSession(id: "connection-\(number)")
    }

    func channelActive(context: ChannelHandlerContext) {
        let loop = context.eventLoop.assumeIsolated()
        loop.scheduleTask(in: Self.loginLimit) {
            if !self.isOpen { context.close(promise: nil) }
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        session.append(Array(buffer.readableBytesView))
        while let event = session.next() { handle(event, in: context) }
        flush(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isOpen { hub.close(number) }
        isOpen = false
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext,
        event: Any,
        promise: EventLoopPromise<Void>?
    ) {
        guard event is StreamEnd else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        session.end()
        flush(context)
        promise?.succeed()
    }

    private func handle(_ event: XMPPSession.Event, in context: ChannelHandlerContext) {
        switch event {
        case .login(let sender, let key):
            server = hub.server(ofSender: sender, key: key)
            if server == nil { session.deny() } else { session.accept() }
        case .bound: bind(in: context)
        case .payload(let text, let id):
            for stanza in hub.receive(text, id: id, on: number) { session.send(stanza) }
        case .ended: break
        }
    }

    private func bind(in context: ChannelHandlerContext) {
        // The address comes before the first message.
        flush(context)
        guard let server else { return }
        switch hub.open(number, of: server, channel: context.channel) {
        case nil: isOpen = true
        case .tooManyConnects?:
            session.fail(
                "policy-violation",
                because: "more than \(UpstreamRules.connectsPerMinute) connects in a minute"
            )
        case .tooManyConnections?:
            session.fail(
                "policy-violation",
                because: "more than \(UpstreamRules.connections) connections"
            )
        }
    }

    private func flush(_ context: ChannelHandlerContext) {
        let bytes = session.takeOutput()
        guard !bytes.isEmpty || session.hasEnded else { return }
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        let written = context.writeAndFlush(wrapOutboundOut(buffer))
        guard session.hasEnded else { return }
        let channel = context.channel
        written.whenComplete { _ in channel.close(promise: nil) }
    }
}
