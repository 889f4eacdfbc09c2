/// Decides from the received bytes whether the peer of a connection is still there.
///
/// A vanished peer leaves no sign: bytes that are written to it look sent. A connection that was
/// quiet for a while therefore carries new requests only after its peer has answered a PING (RFC
/// 9113, section 6.7). A new connection carries requests only after its peer's first frame.
struct ConnectionKeepAlive {
    typealias Instant = ContinuousClock.Instant

    enum Verdict {
        case isThere
        /// Send a PING and call `ask`.
        case mustBeAsked
        case isAsked
    }

    /// The peer counts as present for this long after the last received byte.
    static let freshness = Duration.seconds(1)
    /// The time limit for an answer; after it, another connection is faster.
    static let patience = Duration.seconds(1)

    private var heard: Instant
    /// The time limit for the next byte; nil if no PING is open.
    private(set) var deadline: Instant?

    /// Starts as if a PING were open, because the peer must answer the client's first frames.
    ///
    /// The answer may take `limit`, which is the limit for opening a connection.
    init(openedAt now: Instant, limit: Duration) {
        heard = now
        deadline = now + limit
    }

    var isAsked: Bool { deadline != nil }

    func verdict(at now: Instant) -> Verdict {
        if isAsked { return .isAsked }
        return heard.duration(to: now) <= Self.freshness ? .isThere : .mustBeAsked
    }

    mutating func ask(at now: Instant) {
        deadline = now + Self.patience
    }

    /// Records that bytes arrived.
    mutating func hear(at now: Instant) {
        heard = now
        deadline = nil
    }
}

/// The room for body bytes that a connection's flow control leaves (RFC 9113, section 6.9).
///
/// A request whose body does not fit in the peer's window waits, because another connection may
/// still take it. A request that had already started would be lost with its peer.
struct BodyRoom {
    /// Number of unsent body bytes of requests that have started.
    private var unsent = 0
    /// The time by which a request that did not fit must fit; nil if the last one fit.
    private(set) var deadline: ContinuousClock.Instant?

    /// Larger bodies need not fit completely, because a window may always be smaller.
    private static let largestWhole = 32 * 1024

    var isFull: Bool { deadline != nil }

    mutating func admits(_ body: Int, window: Int, at now: ContinuousClock.Instant) -> Bool {
        let isAlone = unsent == 0 && window >= min(body, Self.largestWhole)
        guard isAlone || unsent + body <= window else {
            deadline = deadline ?? now + ConnectionKeepAlive.patience
            return false
        }
        deadline = nil
        return true
    }

    mutating func begin(_ body: Int) { unsent += body }

    /// Records that this many body bytes left or never will.
    mutating func end(_ count: Int) { unsent -= count }
}
