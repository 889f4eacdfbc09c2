import CampaignModel
import Time

/// How many messages one phone gets from the sends of a timeline, if it is in all their audiences.
///
/// A phone gets the sends of one time zone of its campaign; the zone with most of them counts.
struct PlanLoad {
    /// The messages of a campaign to one phone.
    struct Campaign: Hashable {
        var total = 0
        var mostInOneDay = 0

        /// For example, `14, at most 1 a day`.
        var wording: String {
            total == mostInOneDay
                ? total.grouped : "\(total.grouped), at most \(mostInOneDay.grouped) a day"
        }
    }

    /// Empty for campaigns without a send in the timeline.
    let campaigns: [String: Campaign]
    let total: Int
    /// The day with most messages; nil if there is none.
    let busiest: (date: CivilDate, count: Int)?

    init(_ timeline: PlanTimeline) {
        var parts: [String: [String: [CivilDate: Int]]] = [:]
        for sending in timeline.sendings {
            guard let date = sending.moment.wallClock?.date else { continue }
            parts[sending.campaign, default: [:]][sending.part ?? "", default: [:]][
                date,
                default: 0
            ] += 1
        }
        var days: [CivilDate: Int] = [:]
        campaigns = parts.mapValues { parts in
            let fullest = parts.sorted { $0.key < $1.key }.map(\.value)
                .max { $0.values.reduce(0, +) < $1.values.reduce(0, +) }
            for (date, count) in fullest ?? [:] { days[date, default: 0] += count }
            return Campaign(
                total: fullest?.values.reduce(0, +) ?? 0,
                mostInOneDay: fullest?.values.max() ?? 0
            )
        }
        total = campaigns.values.reduce(0) { $0 + $1.total }
        busiest = days.min { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { (date: $0.key, count: $0.value) }
    }

    /// For example, `A phone in every audience gets 9 messages in 14 days, at most 2 on one day (Fri
    /// 22 Jan).`; nil if nothing is sent.
    var sentence: String? {
        guard let busiest else { return nil }
        return "A phone in every audience gets at most \(total.counting("message")) in "
            + "\(PlanTimeline.days) days, and at most \(busiest.count.grouped) on one day "
            + "(\(busiest.date.weekday.shortName) \(busiest.date.shortText))."
    }
}
