import DeliveryModel
import EmulatorAPI
import EmulatorXMPP
import JSON
import Logging
import NIOCore
import Synchronization

/// The XMPP connections of app servers: it passes messages of devices on, and takes their
/// acknowledgements.
///
/// A class, because all connections share it. Only the emulator's event loop calls it.
final class AppServerHub: Sendable {
    private struct Content {
        var servers = AppServers()
        var channels: [Int: any Channel] = [:]
        var serverOfConnection: [Int: AppServer] = [:]
        var lastNumber = 0
        /// The orders to drain that were carried out, by project.
        var drains: [String: Int] = [:]
        /// The states of the projects to which the connections belong.
        var eras: [String: UInt64] = [:]
        var receipts = WaitingReceipts()
    }

    private let core: SharedCore
    /// Nil to accept any password.
    private let serverKey: String?
    private let logger: Logger
    private let content = Mutex(Content())

    /// How often to look for what is only due to the clock.
    private static let interval = TimeAmount.seconds(1)

    init(core: SharedCore, serverKey: String?, logger: Logger) {
        self.core = core
        self.serverKey = serverKey
        self.logger = logger
    }

    /// Passes messages on after each change and each second.
    func start(on loop: any EventLoop) {
        core.observe { [weak self] in self?.deliver() }
        loop.scheduleRepeatedTask(initialDelay: Self.interval, delay: Self.interval) {
            [weak self] task in
            guard let self else { return task.cancel() }
            deliver()
        }
    }

    func nextNumber() -> Int {
        content.withLock { content in
            content.lastNumber += 1
            return content.lastNumber
        }
    }

    /// Returns the app server of a login, or nil if the sender or the key is wrong.
    func server(ofSender sender: String, key: String) -> AppServer? {
        let isSender = !sender.isEmpty && sender.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isSender, !key.isEmpty, serverKey == nil || serverKey == key else { return nil }
        return core.use { $0.appServer(ofSender: sender) }
    }

    // MARK: Connections

    /// Admits a connection, which gets messages from now on; returns nil if it does.
    func open(_ id: Int, of server: AppServer, channel: any Channel) -> AppServers.Refusal? {
        let project = server.project
        endReplaced(project)
        let (now, drains, era) = core.use {
            ($0.moment(of: project), $0.upstreamDrains(of: project), $0.era(of: project))
        }
        let refusal = content.withLock { content -> AppServers.Refusal? in
            content.eras[project] = era
            if let refusal = content.servers.connect(id, of: server, at: now) { return refusal }
            if content.servers.connectionCount(of: project) == 1 {
                content.drains[project] = drains
            }
            content.channels[id] = channel
            content.serverOfConnection[id] = server
            return nil
        }
        logger.debug("app server connection \(id): \(refusal.map { "\($0)" } ?? "open")")
        if refusal == nil {
            publishCount(of: project)
            deliver()
        }
        return refusal
    }

    func close(_ id: Int) {
        let server = content.withLock { content -> AppServer? in
            content.receipts.resend(content.servers.close(id))
            content.channels[id] = nil
            return content.serverOfConnection.removeValue(forKey: id)
        }
        guard let server else { return }
        logger.debug("app server connection \(id): closed")
        publishCount(of: server.project)
        deliver()
    }

    private func publishCount(of project: String) {
        let count = content.withLock { $0.servers.connectionCount(of: project) }
        core.use { $0.appServerConnections[project] = count }
    }

    // MARK: Messages

    /// Returns the stanzas that answer a payload.
    func receive(_ text: String, id: String, on connection: Int) -> [[UInt8]] {
        switch AppServerPayload(parsing: text) {
        case .acknowledgement(let registration, let id):
            return acknowledge(UpstreamKey(registration: registration, id: id), on: connection)
        case .malformedAcknowledgement(let id):
            return [badAcknowledgement(of: id, from: "", because: "to or message_id is missing")]
        case .message(let to, let id, let object):
            guard let server = content.withLock({ $0.serverOfConnection[connection] }) else {
                return []
            }
            guard let project = core.use({ $0.pathID(of: server.project) }) else { return [] }
            let send = DownstreamSend(to: to, id: id, message: object, project: project)
            let answer = core.use { $0.take(send.request) }
            if let receipt = send.receipt(for: answer, to: server) {
                content.withLock { $0.receipts.add(receipt) }
            }
            _ = core.settle()
            return [GCMStanza.bytes(of: send.stanza(for: answer))]
        case .unusable(let reason): return [GCMStanza.error(reason, id: id, payload: text)]
        }
    }

    private func acknowledge(_ key: UpstreamKey, on connection: Int) -> [[UInt8]] {
        let (number, server) = content.withLock { content in
            let number = content.servers.acknowledge(key, on: connection)
            if let number { content.receipts.remove(number) }
            return (number, content.serverOfConnection[connection])
        }
        guard let number, let server else {
            let reason = "no such message is unacknowledged on this connection"
            return [badAcknowledgement(of: key.id, from: key.registration, because: reason)]
        }
        if number > 0 { core.use { $0.acknowledgeUpstream(key, of: server.project) } }
        // Makes room, so that more messages follow.
        _ = core.settle()
        return []
    }

    private func badAcknowledgement(
        of id: String,
        from registration: String,
        because reason: String
    ) -> [UInt8] {
        GCMStanza.bytes(
            of: GCMStanza.refusal(of: id, from: registration, code: "BAD_ACK", description: reason)
        )
    }

    /// Passes on as many messages as there is room for, and carries out orders to drain.
    func deliver() {
        let servers = content.withLock { $0.servers.connected }
        for project in Set(servers.map(\.project)) {
            endReplaced(project)
            drain(project)
        }
        for server in servers {
            deliver(to: server)
            deliverReceipts(to: server)
        }
        closeDrained()
    }

    /// Reports the messages of a server that devices received since.
    private func deliverReceipts(to server: AppServer) {
        for (number, receipt) in content.withLock({ $0.receipts.waiting(for: server) }) {
            let received = core.use {
                $0.receipt(of: receipt.message, by: receipt.registration, in: server.project)
            }
            guard let received else { continue }
            let channel = content.withLock { content -> (any Channel)? in
                let place = content.servers.assign(receipt: number, key: receipt.key, to: server)
                guard let place else { return nil }
                content.receipts.markSent(number)
                return content.channels[place]
            }
            guard let channel else { return }
            let json = receipt.json(at: received.at, category: received.category)
            write(GCMStanza.bytes(of: json), to: channel)
        }
    }

    private func deliver(to server: AppServer) {
        while true {
            let room = content.withLock { $0.servers.room(of: server) }
            guard room.count > 0 else { return }
            let (deliveries, through) = core.use {
                $0.upstreamDeliveries(for: server, after: room.after, limit: room.count)
            }
            guard !deliveries.isEmpty else {
                return content.withLock { $0.servers.skip(to: through, for: server) }
            }
            let sends = content.withLock { content in
                content.servers.assign(deliveries, to: server)
                    .compactMap { placed in
                        content.channels[placed.connection].map { ($0, placed.delivery) }
                    }
            }
            for (channel, delivery) in sends {
                write(GCMStanza.bytes(of: delivery.json), to: channel)
            }
        }
    }

    private func write(_ bytes: [UInt8], to channel: any Channel) {
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: nil)
    }

    // MARK: Draining

    /// Closes the connections of a project that was dropped since, or replaced by a new one.
    private func endReplaced(_ project: String) {
        let era = core.use { $0.era(of: project) }
        let channels = content.withLock { content -> [any Channel] in
            guard let former = content.eras[project], former != era else { return [] }
            content.eras[project] = nil
            content.drains[project] = nil
            content.receipts.removeAll(of: project)
            return content.servers.forget(project).compactMap { content.channels[$0] }
        }
        for channel in channels {
            channel.triggerUserOutboundEvent(XMPPHandler.StreamEnd(), promise: nil)
        }
    }

    private func drain(_ project: String) {
        let orders = core.use { $0.upstreamDrains(of: project) }
        let channels = content.withLock { content -> [any Channel] in
            guard orders > content.drains[project] ?? 0 else { return [] }
            content.drains[project] = orders
            return content.servers.drain(project).compactMap { content.channels[$0] }
        }
        for channel in channels { write(GCMStanza.bytes(of: GCMStanza.draining), to: channel) }
    }

    /// Closes the draining connections whose messages are all acknowledged.
    private func closeDrained() {
        let channels = content.withLock { content in
            content.channels.filter { content.servers.isDrained($0.key) }.map(\.value)
        }
        for channel in channels {
            channel.triggerUserOutboundEvent(XMPPHandler.StreamEnd(), promise: nil)
        }
    }
}
