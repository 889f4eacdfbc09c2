import CampaignModel
import Planning

/// Says whether an objective is reachable, what it needs, and whether a topic or a list is faster.
struct ObjectiveWording {
    private let planned: PlannedObjective
    private let pace: Pace

    init(_ planned: PlannedObjective, pace: Pace) {
        self.planned = planned
        self.pace = pace
    }

    /// A verdict; then what is needed, if it is not reachable, and what is faster, if that is known.
    var sentences: [String] {
        ["Objective \(Self.name(planned.objective)): \(verdict)."]
            + (planned.need.map { [need($0)] } ?? []) + faster
    }

    /// For example, `90% in 2 min`.
    static func name(_ objective: Objective) -> String {
        "\(objective.share) in \(length(objective.seconds))"
    }

    /// For example, `1 min 48 s`; `less than 1 s` for 0.
    static func length(_ seconds: Int64) -> String {
        seconds < 1 ? "less than 1 s" : SimulationWording.length(seconds * 1_000)
    }

    private var verdict: String {
        let seconds = planned.predicted?.wholeSeconds ?? 0
        let time = ", predicted after about \(Self.length(seconds))"
        return switch planned.verdict {
        case .reachable: "reachable\(time)"
        case .unreachable: "not reachable\(time)"
        case .unknown where planned.isFanOut: "not predictable, because the reach is unknown"
        case .unknown:
            "not predictable, because the size of the list is known only when the send begins"
        }
    }

    private func need(_ need: PlannedObjective.Need) -> String {
        switch need {
        case .settings(nil, nil):
            return "No allowed pace is enough. Allow more time, or address fewer registrations."
        case .settings(let sends, let unknown):
            let parts = [
                sends.map { "a sends_per_minute of \($0.grouped) in pace" },
                unknown.map { "a max_unknown of \($0.grouped)" },
            ]
            let quota = Pace.standard.sendsPerMinute
            let isAboveQuota = sends.map { $0 > quota } ?? false
            return "It needs \(parts.compactMap(\.self).joined(by: "and"))"
                + (isAboveQuota ? "; FCM's quota is \(quota.grouped) unless it was raised." : ".")
        case .fanOutRate(let rate):
            return "It needs a fan-out of \(rate.grouped) devices per second, but FCM's is about "
                + "\(pace.fanOutRate.grouped)."
        case .earlierStart:
            let delay = Self.length(planned.delay.wholeSeconds)
            return "Its first request leaves about \(delay) after the due time: send it earlier, "
                + "or allow more time."
        case .moreTime(let roundTrip):
            return "An answer took \(roundTrip.inMilliseconds): allow more time."
        }
    }

    /// Empty if the number of recipients is unknown.
    private var faster: [String] {
        guard let list = planned.asList?.wholeSeconds, let topic = planned.asTopic?.wholeSeconds
        else { return [] }
        guard list != topic else {
            return [
                "For this audience, a topic and a list take the same time: about "
                    + "\(Self.length(list))."
            ]
        }
        let (fast, slow) = list < topic ? ("list", "topic") : ("topic", "list")
        return [
            "For this audience, a \(fast) is faster: about \(Self.length(min(list, topic))), and a "
                + "\(slow) about \(Self.length(max(list, topic)))."
        ]
    }
}
