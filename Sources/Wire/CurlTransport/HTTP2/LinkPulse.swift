/// Whether the other end of a connection is still there, by what was heard of it.
///
/// A peer that vanished leaves no sign: what is written to it looks sent. So a connection that was
/// quiet for a while carries new requests only after its peer answered a PING (RFC 9113, section
/// 6.7), and one that was opened only after its peer's first frame.
struct LinkPulse {
    typealias Instant = ContinuousClock.Instant

    enum Verdict {
        case isThere
        /// Ask, and tell `ask`.
        case mustBeAsked
        case isAsked
    }

    /// For so long after something was heard the peer is taken to be there.
    static let freshness = Duration.seconds(1)
    /// So long it may take to answer; after that another connection is quicker.
    static let patience = Duration.seconds(1)

    private var heard: Instant
    /// By when something must be heard; nil where nothing was asked.
    private(set) var deadline: Instant?

    /// Begins with a question, which is the client's first frames.
    ///
    /// Its answer may take `limit`, that of opening a connection.
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

    /// Anything at all was heard.
    mutating func hear(at now: Instant) {
        heard = now
        deadline = nil
    }
}

/// What a connection's flow control lets be written of bodies (RFC 9113, section 6.9).
///
/// A request whose body the peer's window does not take waits where it can still be given to another
/// connection; one that was begun would be lost with its peer.
struct BodyRoom {
    /// Bytes of the bodies of requests that were begun and have not left yet.
    private var unsent = 0
    /// By when a request must fit that did not; nil where the last one did.
    private(set) var deadline: ContinuousClock.Instant?

    /// Larger bodies need not fit whole: a window can be smaller than that for ever.
    private static let largestWhole = 32 * 1024

    var isFull: Bool { deadline != nil }

    mutating func admits(_ body: Int, window: Int, at now: ContinuousClock.Instant) -> Bool {
        let isAlone = unsent == 0 && window >= min(body, Self.largestWhole)
        guard isAlone || unsent + body <= window else {
            deadline = deadline ?? now + LinkPulse.patience
            return false
        }
        deadline = nil
        return true
    }

    mutating func begin(_ body: Int) { unsent += body }

    /// So much of a body left, or never will.
    mutating func end(_ count: Int) { unsent -= count }
}
