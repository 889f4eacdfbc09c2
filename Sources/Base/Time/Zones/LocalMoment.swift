/// The instants at which a zone's clocks show a local time.
package enum LocalMoment: Hashable, Sendable {
    case unique(Instant)
    /// Clocks skip the local time when they are set forward.
    ///
    /// `movedTo` applies the offset before the gap, which moves the time forward by the gap's
    /// length (RFC 5545, 3.3.5).
    case skipped(movedTo: Instant, gapSeconds: Int)
    /// Clocks show the local time twice because they are set back.
    case doubled(first: Instant, second: Instant)

    /// The unique, moved or first instant (RFC 5545, 3.3.5).
    package var instant: Instant {
        switch self {
        case .unique(let instant): instant
        case .skipped(let movedTo, _): movedTo
        case .doubled(let first, _): first
        }
    }
}
