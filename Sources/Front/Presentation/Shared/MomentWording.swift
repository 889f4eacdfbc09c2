import CampaignModel
import Time

/// Renders times as local time, as UTC and relative to now.
struct MomentWording {
    let now: Instant

    func wording(_ moment: ScheduledMoment) -> String {
        "\(moment.local) \(moment.zone) (\(moment.instant.utcText), \(distance(moment.instant)))"
    }

    /// An instant and its distance from now.
    func distance(of instant: Instant) -> String {
        "\(instant.utcText), \(distance(instant))"
    }

    /// The distance in the largest unit that fits: `in 3 h`, `5 min ago`.
    func distance(_ instant: Instant) -> String {
        let seconds = instant.seconds(since: now)
        let length = Self.length(abs(seconds))
        return seconds < 0 ? "\(length) ago" : "in \(length)"
    }

    /// The distance of a past event.
    ///
    /// Prints `just now` for a future time, because another machine's clock may be ahead.
    func ago(_ instant: Instant) -> String {
        instant < now ? distance(instant) : "just now"
    }

    /// A duration in the largest unit that fits: `3 h`.
    static func length(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400, "days"), (3_600, "h"), (60, "min"), (1, "s")]
        let unit = units.first { seconds >= $0.0 } ?? (1, "s")
        let count = seconds / unit.0
        return "\(Int(count).grouped) \(count == 1 && unit.1 == "days" ? "day" : unit.1)"
    }
}
