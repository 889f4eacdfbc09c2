internal import Synchronization
internal import SystemIO
internal import Upstream

/// One connection and its thread.
///
/// A class, because its thread and its callers share it.
final class StropheLink: UpstreamLink {
    private struct Outbox {
        var bytes: [UInt8] = []
        var isClosing = false
        var isAborted = false
        /// Whether the last event was reported.
        var hasEnded = false
        /// Nil before libstrophe has a socket, and after it closed it.
        var socket: SharedSocket?
    }

    private let endpoint: UpstreamEndpoint
    private let receive: @Sendable ([LinkEvent]) -> Void
    private let outbox = Mutex(Outbox())
    private let wakeup = WakeupDescriptor()

    init(to endpoint: UpstreamEndpoint, receive: @escaping @Sendable ([LinkEvent]) -> Void) {
        self.endpoint = endpoint
        self.receive = receive
    }

    func start() {
        guard wakeup != nil, let thread = SystemThread({ self.run() }) else {
            let reason = "the process has no free thread or descriptor"
            return report([.ended(.unreachable(reason: reason))])
        }
        thread.detach()
    }

    func send(_ bytes: [UInt8]) {
        outbox.withLock { $0.bytes += bytes }
        wakeup?.wake()
    }

    func close() {
        outbox.withLock { $0.isClosing = true }
        wakeup?.wake()
    }

    /// Reports the end at once, even if libstrophe is busy.
    func abort() {
        outbox.withLock { outbox in
            outbox.isAborted = true
            outbox.socket?.end()
        }
        wakeup?.wake()
        report([.ended(.closedHere)])
    }

    /// Drops what follows the last event.
    private func report(_ events: [LinkEvent]) {
        let isOver = outbox.withLock { outbox in
            defer { if case .ended = events.last { outbox.hasEnded = true } }
            return outbox.hasEnded
        }
        if !isOver { receive(events) }
    }

    /// What the thread has to do.
    struct Work {
        let bytes: [UInt8]
        let isClosing: Bool
        let isAborted: Bool
    }

    func takeWork() -> Work {
        outbox.withLock { outbox in
            let work = Work(
                bytes: outbox.bytes,
                isClosing: outbox.isClosing,
                isAborted: outbox.isAborted
            )
            outbox.bytes = []
            return work
        }
    }

    /// libstrophe opened a socket, or closed it.
    func use(_ socket: SharedSocket?) {
        socket?.detectDeadPeer()
        outbox.withLock { outbox in
            outbox.socket = socket
            if outbox.isAborted { socket?.end() }
        }
    }

    private var socket: SharedSocket? { outbox.withLock { $0.socket } }

    /// Waits for input, for room to send, or for a call of another thread.
    private func wait(sending: Bool) {
        guard let wakeup, let socket else { return }
        if sending {
            _ = InputReadiness.acceptsInputOrOutput(socket.descriptor, atMost: .milliseconds(20))
        } else {
            // Bounds the delay of libstrophe's own timers.
            let limit = Duration.seconds(1)
            _ = InputReadiness.among([socket.descriptor, wakeup.descriptor], atMost: limit)
        }
        wakeup.clear()
    }

    private func run() {
        let session = StropheSession(to: endpoint) { self.use($0) }
        session.connect()
        while true {
            session.perform(takeWork())
            session.pump()
            let events = session.takeEvents()
            if session.hasEnded { session.release() }
            if !events.isEmpty { report(events) }
            if session.hasEnded { return }
            if session.isConnected, !session.hasMore { wait(sending: session.isSending) }
        }
    }
}
