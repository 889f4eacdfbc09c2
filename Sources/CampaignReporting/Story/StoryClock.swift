import CampaignModel
import Scheduling

/// Writes moments as the clocks of their zones show them.
struct StoryClock {
    let now: Instant
    /// The zone of moments that have none of their own.
    let timeZone: String
    /// Of every zone that is named; one that the system doesn't know is missing.
    private let rules: [String: TimeZoneRules]

    init(now: Instant, timeZone: String, others: Set<String>, zones: TimeZoneDatabase) {
        self.now = now
        self.timeZone = timeZone
        var rules: [String: TimeZoneRules] = [:]
        for zone in others.union([timeZone]) { rules[zone] = try? zones.rules(named: zone) }
        self.rules = rules
    }

    func rules(of zone: String) -> TimeZoneRules? { rules[zone] }

    /// An instant in a zone; in UTC where the system doesn't know the zone.
    func moment(_ instant: Instant, in zone: String? = nil) -> MomentStory {
        let name = zone ?? timeZone
        let known = rules[name]
        return moment(
            instant,
            local: (known ?? .utc).localTime(at: instant),
            zone: known == nil ? "UTC" : name
        )
    }

    func moment(_ moment: ScheduledMoment, note: String? = nil) -> MomentStory {
        self.moment(moment.instant, local: moment.local, zone: moment.zone, note: note)
    }

    func moment(_ moment: SlotMoment, in zone: String) -> MomentStory {
        self.moment(moment.moment, local: moment.slot, zone: zone, note: moment.noteWords)
    }

    private func moment(
        _ instant: Instant,
        local: CivilDateTime,
        zone: String,
        note: String? = nil
    ) -> MomentStory {
        MomentStory(
            instant: instant,
            weekday: local.date.weekday.englishName,
            local: local.description,
            zone: zone,
            utc: instant.utcText,
            distance: MomentText(now: now).distance(instant),
            note: note
        )
    }
}

extension MomentStory {
    /// `Friday 2037-03-20 07:30 Atlantic/Azores (2037-03-20T08:30:00Z, in 3 h)`.
    package var words: String { "\(weekday) \(local) \(zone) (\(utc), \(distance))" }
}

extension Schedule {
    /// The zone in which its author thinks; nil where it has no moment.
    var zone: String? {
        switch self {
        case .immediate: nil
        case .at(let moment): moment.zone
        case .repeating(let rule): rule.zone
        }
    }
}
