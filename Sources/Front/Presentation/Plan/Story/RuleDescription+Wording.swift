import CampaignModel
import Planning
import Scheduling
import Time

extension RuleDescription {
    /// The number of due times to show.
    static let named = 3

    /// Describes a schedule and its due times after now.
    init(_ schedule: RepeatingSchedule, clock: StoryClock) {
        text = schedule.text
        zone = schedule.zone
        wording = schedule.sentence
        guard let rules = clock.rules(of: schedule.zone) else {
            next = []
            return
        }
        next = schedule.moments(after: clock.now, before: .latest, limit: Self.named, in: rules)
            .map { clock.moment($0, in: schedule.zone) }
    }
}

extension RepeatingSchedule {
    /// For example, `at 07:30 on Monday to Friday, until 2027-03-01 00:00`.
    var sentence: String {
        var parts = [pattern.sentence]
        if case .cron = pattern, let from { parts.append("from \(from)") }
        if let until { parts.append("until \(until)") }
        return parts.joined(separator: ", ")
    }
}

extension SlotPattern {
    /// For example, `at 07:30, day of week Monday to Friday`.
    fileprivate var sentence: String {
        switch self {
        case .at(let local): "at \(local)"
        case .cron(let schedule): Self.sentence(schedule.wording)
        case .recurrence(let rule): Self.sentence(rule)
        }
    }

    /// For example, `every week at 07:30, on Monday, from 2027-01-04`.
    private static func sentence(_ rule: RecurrenceRule) -> String {
        let wording = rule.wording
        let hasTime = wording.contains { $0.part == "hours" || $0.part == "minutes" }
        let parts = wording.compactMap { part -> String? in
            switch part.part {
            case "every": "every \(part.meaning)" + (hasTime ? "" : " at \(rule.start.time)")
            case "start": nil
            case "weekdays": "on \(part.meaning)"
            case "months": "in \(part.meaning)"
            case "days of the month": "on the \(part.meaning) day of the month"
            default: "\(part.part) \(part.meaning)"
            }
        }
        return (parts + ["from \(rule.start.date)"]).joined(separator: ", ")
    }

    /// Describes the restricted parts.
    ///
    /// Hour and minute together become a time of day.
    private static func sentence(_ wording: [RuleWording]) -> String {
        let meanings = Dictionary(wording.map { ($0.part, $0.meaning) }) { $1 }
        let time = time(hour: meanings["hour"], minute: meanings["minute"]).map { "at \($0)" }
        let parts = wording.filter { !$0.meaning.hasPrefix("every ") }.compactMap { part in
            switch part.part {
            case "minute": time ?? "at minute \(part.meaning)"
            case "hour": time == nil ? "of hour \(part.meaning)" : nil
            case "day of month": "on day \(part.meaning) of the month"
            case "month": "in \(part.meaning)"
            case "day of week": "on \(part.meaning)"
            default: part.meaning
            }
        }
        let days = ["day of month", "day of week"].compactMap { meanings[$0] }
        let isDaily = days.allSatisfy { $0.hasPrefix("every ") }
        return parts.joined(separator: " ") + (isDaily ? " every day" : "")
    }

    private static func time(hour: String?, minute: String?) -> CivilTime? {
        guard let hour = hour.flatMap({ Int($0) }), let minute = minute.flatMap({ Int($0) }) else {
            return nil
        }
        return CivilTime(hour: hour, minute: minute)
    }
}
