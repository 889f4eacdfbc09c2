import CampaignModel
import JSON
import Planning
import Scheduling
import Time

/// Describes how a campaign's recurring schedule changes.
struct RuleChangeWording {
    /// The number of days, from tomorrow on, in which the due times are compared.
    private static let days = 28
    private static let maximumCount = 1_000

    private let old: RepeatingSchedule?
    private let new: RepeatingSchedule?
    private let clock: StoryClock

    /// Nil if the schedule is the same or unreadable, or if it repeats neither before nor now.
    ///
    /// `actions`: all actions of one campaign.
    init?(_ actions: [CampaignAction], clock: StoryClock) {
        guard let action = actions.first(where: \.changesSchedule) else { return nil }
        old = action.recordedRule
        new = action.source?.schedule.rule
        self.clock = clock
        let isReadable = old != nil || action.wasSentOnce
        guard isReadable, sentences.old != sentences.new else { return nil }
    }

    /// Continues the name of the campaign: `now repeats at 07:00 every day instead of …`.
    func headline(to audience: String, in mood: PlanMood) -> String {
        let repeats = mood.verb("now repeats", "repeat")
        return switch (sentences.old, sentences.new) {
        case (let old?, let new?): "\(repeats) \(new) instead of \(old), to \(audience)\(dropped)"
        case (nil, let new?): "\(repeats) \(new), to \(audience); before, it did not repeat"
        case (let old?, nil):
            mood.verb("no longer repeats", "no longer repeat")
                + " \(old); it \(mood.verb("is", "be")) sent once, to \(audience)"
        case (nil, nil): "changed"
        }
    }

    /// Whether the send of the old due time is not made up on its day.
    func drops(_ before: MomentDescription, movedTo after: MomentDescription) -> Bool {
        guard let old = before.wallClock?.date, let new = after.wallClock?.date else { return true }
        return before.instant <= clock.now || old.daysSince1970 < new.daysSince1970
    }

    /// Whether the headline names the weekdays on which the rule is no longer due, and the due time
    /// has not passed.
    func namesDrop(of before: MomentDescription) -> Bool {
        guard before.instant > clock.now, let old = old.flatMap(dates), let new = new.flatMap(dates)
        else { return false }
        return !weekdays(of: old, without: new).isEmpty
    }

    /// Both rules as text, with their zones if these differ.
    private var sentences: (old: String?, new: String?) {
        let isSameZone = old == nil || new == nil || old?.zone == new?.zone
        func sentence(_ rule: RepeatingSchedule?) -> String? {
            rule.map { $0.sentence + (isSameZone ? "" : " in \($0.zone)") }
        }
        return (sentence(old), sentence(new))
    }

    /// The lost and added weekdays, and the number of due times; empty if they are the same.
    private var dropped: String {
        guard let before = old.flatMap(dates), let after = new.flatMap(dates) else { return "" }
        let lost = weekdays(of: before, without: after)
        let added = weekdays(of: after, without: before)
        var parts: [String] = []
        if !lost.isEmpty { parts.append("no longer on " + lost.joined(by: "and")) }
        if !added.isEmpty { parts.append("also on " + added.joined(by: "and")) }
        if before.count != after.count {
            let times = before.count.counting("time")
            parts.append("\(after.count.grouped) instead of \(times) in \(Self.days) days")
        }
        return parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    }

    /// The local date of each due time of the compared days; nil if there are too many.
    private func dates(_ rule: RepeatingSchedule) -> [CivilDate]? {
        guard let rules = clock.rules(of: rule.zone) else { return nil }
        let today = rules.localTime(at: clock.now).date.daysSince1970
        let slots = rule.moments(
            after: clock.now,
            before: clock.now.advanced(bySeconds: Int64(Self.days + 2) * 86_400),
            limit: Self.maximumCount,
            in: rules
        )
        guard slots.count < Self.maximumCount else { return nil }
        return slots.map(\.slot.date).filter { date in
            (1...Self.days).contains(date.daysSince1970 - today)
        }
    }

    /// The weekdays, from Monday on, of at least three of the dates, but of none of the others.
    ///
    /// Dates before the first and after the last of the others do not count, because a rule may
    /// begin or end there.
    private func weekdays(of dates: [CivilDate], without others: [CivilDate]) -> [String] {
        guard let first = others.first, let last = others.last else { return [] }
        let counted = dates.filter { first <= $0 && $0 <= last }.map(\.weekday)
        let missing = Set(Weekday.allCases).subtracting(others.map(\.weekday))
        return Weekday.allCases.sorted { ($0.rawValue + 6) % 7 < ($1.rawValue + 6) % 7 }
            .filter { day in missing.contains(day) && counted.count { $0 == day } >= 3 }
            .map(\.englishName)
    }
}

extension CampaignAction {
    fileprivate var changesSchedule: Bool { changes.contains { $0.path == "schedule" } }

    /// Whether the schedule that the last apply recorded is not a rule.
    fileprivate var wasSentOnce: Bool {
        guard let content = recorded?["schedule"]?.stringValue else { return false }
        return content == "at the next apply" || CivilDateTime(parsing: content.prefix(16)) != nil
    }

    /// The rule that the last apply recorded, if the schedule changed since then.
    var recordedRule: RepeatingSchedule? {
        guard changesSchedule, let content = recorded?["schedule"]?.stringValue else { return nil }
        return RepeatingSchedule(recorded: content)
    }
}

extension Schedule {
    /// Nil if it does not repeat.
    var rule: RepeatingSchedule? {
        if case .repeating(let rule) = self { rule } else { nil }
    }
}
