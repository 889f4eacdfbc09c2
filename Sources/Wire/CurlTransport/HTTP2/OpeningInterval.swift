/// Limits how fast additional connections are opened.
///
/// A server that answers within milliseconds needs few connections, however many requests wait, and
/// handshakes take processor time from the requests.
struct OpeningInterval {
    /// The number of connections per interval.
    static let most = 4
    static let length = Duration.milliseconds(100)

    private var left = 0
    private var end: ContinuousClock.Instant?

    /// Returns whether a connection may be opened, and counts it.
    mutating func take(at now: ContinuousClock.Instant) -> Bool {
        if end.map({ $0 <= now }) ?? true {
            end = now + Self.length
            left = Self.most
        }
        guard left > 0 else { return false }
        left -= 1
        return true
    }

    /// When connections may be opened again; nil if they may be opened now.
    func next(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard left == 0, let end, end > now else { return nil }
        return end
    }
}
