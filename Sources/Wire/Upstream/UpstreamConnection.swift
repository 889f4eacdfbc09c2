/// A place for one of the connections that the set keeps open.
struct ConnectionSlot: Hashable, Sendable {
    /// The connection that fills it, unless it drains.
    var connection: ConnectionID?
    /// Consecutive connections that could not be opened or ended early.
    var failures = 0
    var notBefore = Duration.zero

    func mayConnect(at now: Duration) -> Bool { connection == nil && notBefore <= now }
}

/// What a set records about one connection.
struct UpstreamConnection: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case connecting
        case open
        /// Receives and acknowledges until the server closes it, or nothing arrives any more.
        case draining
        /// Acknowledges what is stored, and then closes.
        case stopping
        case closing
    }

    private(set) var phase = Phase.connecting
    /// When the phase began, or when a draining connection received its last message.
    private(set) var since: Duration
    private(set) var openedAt: Duration?
    /// Messages that arrived and are neither acknowledged nor refused.
    var pending = 0
    /// Messages that stay unacknowledged.
    var refused = 0
    /// Whether the excess of unacknowledged messages was reported.
    var hasExcess = false
    /// Whether the server did not complete the connect in time.
    var isTooSlow = false

    /// How long a connect may take, with TLS and authentication.
    static let connectLimit = Duration.seconds(30)
    /// A draining connection without messages for this long is closed here.
    static let drainSilence = Duration.seconds(30)
    /// How long the end of a stream may take.
    static let closeLimit = Duration.seconds(5)
    /// A connection that lasted this long is no failure.
    static let stableAfter = Duration.seconds(30)

    init(at now: Duration) {
        since = now
    }

    var isOpen: Bool { phase == .open }

    var mayReceive: Bool { phase == .open || phase == .draining }

    mutating func enter(_ phase: Phase, at now: Duration) {
        self.phase = phase
        since = now
        if phase == .open { openedAt = now }
    }

    mutating func receives(at now: Duration) {
        pending += 1
        if phase == .draining { since = now }
    }

    mutating func stop(at now: Duration) {
        if phase != .closing { enter(.stopping, at: now) }
    }

    func wasStable(at now: Duration) -> Bool {
        openedAt.map { now - $0 >= Self.stableAfter } ?? false
    }

    /// When the connection has to be looked at again, if nothing else happens.
    var deadline: Duration? {
        switch phase {
        case .connecting: since + Self.connectLimit
        case .open: nil
        case .draining: pending == 0 ? since + Self.drainSilence : nil
        case .stopping: pending == 0 ? since : nil
        case .closing: since + Self.closeLimit
        }
    }
}
