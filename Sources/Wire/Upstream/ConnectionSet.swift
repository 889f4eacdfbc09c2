/// Decides when connections open and close, which messages one commit stores, and which of them
/// are acknowledged, without a clock, a socket or a database.
///
/// Invariants: a message is acknowledged only after its commit, and only on the connection that
/// delivered it. No connection holds more unacknowledged messages than the limit. No 60 seconds
/// contain more connects than the limit. A message without an acknowledgement is safe to lose,
/// because FCM sends it again on the next connection.
package struct ConnectionSet<Message: Sendable>: Sendable {
    package typealias Delivery = UpstreamDelivery<Message>
    package typealias Batch = UpstreamBatch<Message>

    package enum Event: Sendable {
        /// The process started, or a timer fired.
        case timer
        case connected(ConnectionID)
        /// The connection is closed; every connection that `connect` names ends with one.
        case ended(ConnectionID, ConnectionEnd)
        case received(Delivery)
        /// A message arrived that cannot be stored and therefore stays unacknowledged.
        case refused(ConnectionID)
        /// The server is about to close the connection.
        case draining(ConnectionID)
        /// The commit succeeded: each message of the batch is stored, now or before.
        case committed(batch: Int)
        case notCommitted(batch: Int)
        /// The process ends; connections that are still open at the limit are aborted.
        case stop(limit: Duration)
    }

    package enum Command: Sendable {
        case connect(ConnectionID)
        /// Close in order: send what is queued, then end the stream.
        case close(ConnectionID)
        /// Close at once.
        case abort(ConnectionID)
        case commit(Batch)
        case acknowledge(ConnectionID, [Acknowledgement])
        case report(Notice)
    }

    package enum Notice: Hashable, Sendable {
        case opened(ConnectionID)
        case ended(ConnectionID, ConnectionEnd)
        case draining(ConnectionID)
        /// The server sent more than the documented number of unacknowledged messages.
        case tooManyUnacknowledged(ConnectionID)
        /// Refused messages fill the server's window, so that it cannot send others.
        case blocked(ConnectionID)
        case storeFailed(messages: Int)
        case storeRecovered
    }

    let limits: ConnectionLimits
    var slots: [ConnectionSlot]
    var connections: [ConnectionID: UpstreamConnection] = [:]
    var budget: ConnectBudget
    private var nextNumber = 1
    private var random: UInt64

    var waiting: [Delivery] = []
    var inFlight: Batch?
    private var nextBatch = 1
    var storeFailures = 0
    var storeRetry: Duration?
    /// Nil until the process ends.
    var stopLimit: Duration?
    /// Whether the connections that were open at `stopLimit` were aborted.
    var hasAborted = false

    /// The number of messages of one commit; it limits the latency of a commit.
    private static var largestBatch: Int { 1_000 }

    /// Creates a set without connections; the first `timer` opens them.
    ///
    /// `count`: the number of connections to keep open. `seed`: for the spread of pauses.
    package init(count: Int, limits: ConnectionLimits = .documented, seed: UInt64) {
        self.limits = limits
        slots = Array(repeating: ConnectionSlot(), count: min(count, limits.connections))
        budget = ConnectBudget(limit: limits.connectsPerMinute)
        random = seed
    }

    /// Decides what follows from events.
    ///
    /// `events`: in the order in which they happened. `now`: on a clock that never jumps.
    package mutating func receive(_ events: [Event], at now: Duration) -> [Command] {
        var commands: [Command] = []
        for event in events { commands += handle(event, at: now) }
        return commands + close(at: now) + connect(at: now) + commit(at: now)
    }

    /// Whether all connections are closed and all commits are over after `stop`.
    package var hasEnded: Bool { stopLimit != nil && connections.isEmpty && inFlight == nil }

    /// Whether at least one connection can receive messages, and the store takes them.
    package var isReady: Bool {
        storeFailures == 0 && connections.values.contains { $0.isOpen }
    }

    /// The number of connections that can receive messages.
    package var openCount: Int { connections.values.count { $0.isOpen } }

    /// The number of messages that arrived and are not acknowledged.
    package var unacknowledgedCount: Int { connections.values.reduce(0) { $0 + $1.pending } }

    private mutating func handle(_ event: Event, at now: Duration) -> [Command] {
        switch event {
        case .timer: return []
        case .connected(let id): return opened(id, at: now)
        case .ended(let id, let end): return ended(id, end, at: now)
        case .received(let delivery): return received(delivery, at: now)
        case .refused(let id): return refused(id, at: now)
        case .draining(let id): return drain(id, .draining(id), at: now)
        case .committed(let batch): return committed(batch)
        case .notCommitted(let batch): return notCommitted(batch, at: now)
        case .stop(let limit):
            stop(limit: now + limit, at: now)
            return []
        }
    }

    /// A random number from 0 to 1 (SplitMix64).
    mutating func share() -> Double {
        random &+= 0x9E37_79B9_7F4A_7C15
        var mixed = random
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }

    private mutating func connect(at now: Duration) -> [Command] {
        guard stopLimit == nil else { return [] }
        var commands: [Command] = []
        for index in slots.indices where slots[index].mayConnect(at: now) {
            guard connections.count < limits.connections, budget.next(from: now) <= now else {
                break
            }
            let id = ConnectionID(number: nextNumber)
            nextNumber += 1
            budget.spend(at: now)
            slots[index].connection = id
            connections[id] = UpstreamConnection(at: now)
            commands.append(.connect(id))
        }
        return commands
    }

    private mutating func commit(at now: Duration) -> [Command] {
        guard inFlight == nil, !waiting.isEmpty, storeRetry ?? now <= now else { return [] }
        storeRetry = nil
        let batch = Batch(
            number: nextBatch,
            deliveries: Array(waiting.prefix(Self.largestBatch))
        )
        nextBatch += 1
        waiting.removeFirst(batch.deliveries.count)
        inFlight = batch
        return [.commit(batch)]
    }
}
