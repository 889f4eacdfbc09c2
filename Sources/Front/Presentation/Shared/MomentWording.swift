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

    /// The rounded distance: `in 3 h`, `5 min ago`.
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

    /// A past event and its distance from now.
    func ago(of instant: Instant) -> String {
        "\(instant.utcText), \(ago(instant))"
    }

    /// A rounded duration: `3 h`, `5 h 30 min`, `36 h`, `2 days`.
    ///
    /// The unit is the largest that changes the duration by at most 15 percent. If it changes the
    /// duration by more than 5 percent, the next unit follows.
    static func length(_ seconds: Int64) -> String {
        for (place, (unit, name)) in units.enumerated() where seconds >= unit {
            let count = (seconds + unit / 2) / unit
            let difference = abs(seconds - count * unit)
            guard 20 * difference <= 3 * seconds else { continue }
            guard 20 * difference > seconds, place + 1 < units.count else {
                return text(count, of: name)
            }
            let (smaller, other) = units[place + 1]
            let rounded = (seconds + smaller / 2) / smaller * smaller
            return text(rounded / unit, of: name) + " "
                + text(rounded % unit / smaller, of: other)
        }
        return "\(seconds) s"
    }

    private static func text(_ count: Int64, of unit: String) -> String {
        "\(Int(count).grouped) \(count == 1 && unit == "days" ? "day" : unit)"
    }

    private static let units: [(Int64, String)] = [
        (86_400, "days"), (3_600, "h"), (60, "min"), (1, "s"),
    ]
}
