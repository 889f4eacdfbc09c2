import CampaignModel
import Scheduling
import Time

/// Renders times in their time zones.
struct StoryClock {
    let now: Instant
    /// The zone for times without a zone.
    let timeZone: String
    /// The rules of every named zone.
    ///
    /// A zone unknown to the system is missing.
    private let rules: [String: TimeZoneRules]

    init(now: Instant, timeZone: String, others: Set<String>, zones: TimeZoneDatabase) {
        self.now = now
        self.timeZone = timeZone
        var rules: [String: TimeZoneRules] = [:]
        for zone in others.union([timeZone]) { rules[zone] = try? zones.rules(named: zone) }
        self.rules = rules
    }

    func rules(of zone: String) -> TimeZoneRules? { rules[zone] }

    /// An instant in a zone; in UTC if the system does not know the zone.
    func moment(_ instant: Instant, in zone: String? = nil) -> MomentDescription {
        let name = zone ?? timeZone
        let known = rules[name]
        return moment(
            instant,
            local: (known ?? .utc).localTime(at: instant),
            zone: known == nil ? "UTC" : name
        )
    }

    /// Shows the actual local time, which differs from the written time if that time is skipped.
    func moment(_ moment: ScheduledMoment, note: String? = nil) -> MomentDescription {
        self.moment(
            moment.instant,
            local: rules[moment.zone]?.localTime(at: moment.instant) ?? moment.local,
            zone: moment.zone,
            note: note
        )
    }

    func moment(_ moment: SlotMoment, in zone: String) -> MomentDescription {
        let goes = rules[zone]?.localTime(at: moment.moment) ?? moment.slot
        let note =
            goes == moment.slot
            ? moment.noteWording : skipped(moment.slot, goes: goes, at: moment.moment)
        return self.moment(moment.moment, local: goes, zone: zone, note: note)
    }

    /// Describes a skipped local time: the written time and the actual one.
    func skipped(_ moment: ScheduledMoment) -> String {
        let goes = rules[moment.zone]?.localTime(at: moment.instant)
        return skipped(moment.local, goes: goes, at: moment.instant)
    }

    private func skipped(
        _ written: CivilDateTime,
        goes local: CivilDateTime?,
        at instant: Instant
    ) -> String {
        let time = local.map { "\($0.time) (\(instant.utcText))" } ?? instant.utcText
        return "\(written.time) does not exist that day, because clocks go forward; it is sent "
            + "at \(time)"
    }

    private func moment(
        _ instant: Instant,
        local: CivilDateTime,
        zone: String,
        note: String? = nil
    ) -> MomentDescription {
        MomentDescription(
            instant: instant,
            weekday: local.date.weekday.englishName,
            local: local.description,
            zone: zone,
            utc: instant.utcText,
            distance: MomentWording(now: now).distance(instant),
            note: note
        )
    }
}

extension MomentDescription {
    /// For example, `Friday 2037-03-20 07:30 Atlantic/Azores (2037-03-20T08:30:00Z, in 3 h)`.
    package var wording: String { "\(weekday) \(local) \(zone) (\(utc), \(distance))" }

    /// For example, `Friday 2037-03-20 07:30`.
    var stamp: String { "\(weekday) \(local)" }

    /// A change of the due time: `Saturday 18:03 to 18:33`, with dates if the day changes.
    ///
    /// Both times are in the same zone, unless the system does not know it.
    func wording(movedTo new: MomentDescription) -> String {
        let (old, other) = (local.split(separator: " "), new.local.split(separator: " "))
        let zones = zone == new.zone ? ("", "") : (" \(zone)", " \(new.zone)")
        guard old.first == other.first, let before = old.last, let after = other.last else {
            return "\(weekday) \(local)\(zones.0) to \(new.weekday) \(new.local)\(zones.1)"
        }
        return "\(weekday) \(before)\(zones.0) to \(after)\(zones.1)"
    }
}

extension Schedule {
    /// The schedule's time zone; nil if it has no time.
    var zone: String? {
        switch self {
        case .immediate: nil
        case .at(let moment): moment.zone
        case .repeating(let rule): rule.zone
        }
    }
}
