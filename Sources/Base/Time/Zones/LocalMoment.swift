/// When a wall clock of a zone shows some date and time.
package enum LocalMoment: Hashable, Sendable {
    case unique(Instant)
    /// The clock was put forward over it: it is never shown. `movedTo` reads it with the offset
    /// in effect before the gap, which moves it forward by the gap's length (RFC 5545, 3.3.5).
    case skipped(movedTo: Instant, gapSeconds: Int)
    /// The clock was put back: it is shown twice.
    case doubled(first: Instant, second: Instant)

    /// The one, moved or first instant (RFC 5545, 3.3.5).
    package var instant: Instant {
        switch self {
        case .unique(let instant): instant
        case .skipped(let movedTo, _): movedTo
        case .doubled(let first, _): first
        }
    }
}
