import CampaignModel
import Time

/// Moments in local time, UTC and from now.
struct MomentText {
    let now: Instant

    func words(_ moment: ScheduledMoment) -> String {
        "\(moment.local) \(moment.zone) (\(moment.instant.utcText), \(distance(moment.instant)))"
    }

    /// An instant and how far away it is.
    func distance(of instant: Instant) -> String {
        "\(instant.utcText), \(distance(instant))"
    }

    /// `in 3 h`, `5 min ago`: the largest unit that fits.
    func distance(_ instant: Instant) -> String {
        let seconds = instant.seconds(since: now)
        let length = Self.length(abs(seconds))
        return seconds < 0 ? "\(length) ago" : "in \(length)"
    }

    /// As `distance`, of what happened: the clock of another machine may run ahead.
    func ago(_ instant: Instant) -> String {
        instant < now ? distance(instant) : "just now"
    }

    /// `3 h`: the largest unit that fits.
    static func length(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400, "days"), (3_600, "h"), (60, "min"), (1, "s")]
        let unit = units.first { seconds >= $0.0 } ?? (1, "s")
        let count = seconds / unit.0
        return "\(Int(count).grouped) \(count == 1 && unit.1 == "days" ? "day" : unit.1)"
    }
}
