package import CampaignModel
package import Inbox
import State
import Synchronization
package import Time
package import Upstream

/// Receives messages over XMPP: performs the commands of a set of connections.
///
/// An actor, because links, commits and timers report to it from different threads.
package actor UpstreamListener {
    package typealias Report = @Sendable (UpstreamNotice) -> Void
    private typealias Connections = ConnectionSet<UpstreamMessage>

    /// What a listener needs of its surroundings.
    package struct Setting: Sendable {
        let connector: any UpstreamConnector
        let endpoint: UpstreamEndpoint
        let sender: SenderID
        let inbox: any InboxStore
        let clock: WallClock

        package init(
            connector: any UpstreamConnector,
            endpoint: UpstreamEndpoint,
            sender: SenderID,
            inbox: any InboxStore,
            clock: WallClock
        ) {
            self.connector = connector
            self.endpoint = endpoint
            self.sender = sender
            self.inbox = inbox
            self.clock = clock
        }
    }

    private let setting: Setting
    private let report: Report
    private let arrivals = EventQueue<Connections.Event>()
    private let beginning = ContinuousClock.now
    private var connections: Connections
    private var links: [ConnectionID: any UpstreamLink] = [:]
    private var timer: Task<Void, Never>?

    /// `set`: without connections.
    package init(
        _ set: ConnectionSet<UpstreamMessage>,
        in setting: Setting,
        report: @escaping Report
    ) {
        connections = set
        self.setting = setting
        self.report = report
    }

    /// Whether a message that arrives now would be stored.
    package var isReady: Bool { connections.isReady }
    package var openCount: Int { connections.openCount }
    package var unacknowledgedCount: Int { connections.unacknowledgedCount }

    /// Receives until `stop` and the end of all connections.
    package func run() async {
        arrivals.add([.timer])
        for await _ in arrivals.signals {
            process(arrivals.take())
            if connections.hasEnded { break }
        }
        timer?.cancel()
        arrivals.finish()
    }

    /// Ends `run` after the commit that runs, its acknowledgements and the end of all connections.
    package nonisolated func stop(within limit: Duration) {
        arrivals.add([.stop(limit: limit)])
    }

    private var now: Duration { beginning.duration(to: .now) }

    private func process(_ events: [Connections.Event]) {
        for event in events {
            if case .ended(let id, _) = event { links[id] = nil }
        }
        for command in connections.receive(events, at: now) { perform(command) }
        setTimer()
    }

    private func setTimer() {
        timer?.cancel()
        let current = now
        guard let next = connections.nextTimer(at: current) else { return }
        let pause = max(.milliseconds(1), next - current)
        timer = Task { [arrivals] in
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            arrivals.add([.timer])
        }
    }

    private func perform(_ command: Connections.Command) {
        switch command {
        case .connect(let id): open(id)
        case .close(let id): links[id]?.close()
        case .abort(let id): links[id]?.abort()
        case .commit(let batch): commit(batch)
        case .acknowledge(let id, let acknowledgements):
            var bytes: [UInt8] = []
            for item in acknowledgements { GCMStanza.append(item, to: &bytes) }
            links[id]?.send(bytes)
            report(.acknowledged(acknowledgements.count))
        case .report(let notice): report(.connection(notice))
        }
    }

    /// Payloads are read on the thread of the link, so that many links share the work.
    private func open(_ id: ConnectionID) {
        let reader = StanzaReader(sender: setting.sender)
        links[id] = setting.connector.open(setting.endpoint) {
            [arrivals, report, clock = setting.clock] events in
            let reading = reader.read(events, on: id, at: clock.now())
            for notice in reading.notices { report(notice) }
            if !reading.events.isEmpty { arrivals.add(reading.events) }
        }
    }

    private func commit(_ batch: UpstreamBatch<UpstreamMessage>) {
        Task { [arrivals, report, inbox = setting.inbox] in
            do throws(StateStoreError) {
                let results = try await inbox.store(batch.deliveries.map(\.message))
                report(.stored(StoredCounts(results), over: .xmpp))
                arrivals.add([.committed(batch: batch.number)])
            } catch {
                report(.storeFailure(error))
                arrivals.add([.notCommitted(batch: batch.number)])
            }
        }
    }
}

/// Events of several threads, for one reader that takes all of them at once.
///
/// A class, because its writers and its reader share it.
final class EventQueue<Event: Sendable>: Sendable {
    /// One element if events wait, however many.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let events = Mutex<[Event]>([])

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ new: [Event]) {
        events.withLock { $0 += new }
        signal.yield()
    }

    func take() -> [Event] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }

    func finish() { signal.finish() }
}
