package import CampaignModel
import Scheduling
import Time

extension RepeatingSchedule {
    /// Everything that decides which slots exist, as recorded in a definition.
    var content: String {
        var parts = ["\(text) \(zone)"]
        if let from { parts.append("from \(from)") }
        if let until { parts.append("until \(until)") }
        if case .recurrence(let rule) = pattern, !rule.exceptions.isEmpty {
            let exceptions = rule.exceptions.sorted().map(\.description)
            parts.append("except " + exceptions.joined(separator: ", "))
        }
        return parts.joined(separator: ", ")
    }

    /// Reads the content of a recorded definition; nil if it is not a rule.
    package init?(recorded content: String) {
        let parts = content.split(separator: ", ")
        guard let head = parts.first, let space = head.lastIndex(of: " ") else { return nil }
        var from: CivilDateTime?
        var until: CivilDateTime?
        var exceptions: Set<CivilDateTime> = []
        for part in parts.dropFirst() {
            if part.hasPrefix("from ") {
                from = CivilDateTime(parsing: part.dropFirst(5))
            } else if part.hasPrefix("until ") {
                until = CivilDateTime(parsing: part.dropFirst(6))
            } else {
                let text = part.hasPrefix("except ") ? part.dropFirst(7) : part
                if let exception = CivilDateTime(parsing: text) { exceptions.insert(exception) }
            }
        }
        let text = head[..<space]
        guard let pattern = SlotPattern(text, from: from, exceptions: exceptions) else {
            return nil
        }
        self.init(
            text: String(text),
            pattern: pattern,
            zone: String(head[head.index(after: space)...]),
            from: from,
            until: until
        )
    }
}

extension SlotPattern {
    /// Reads a cron expression, or a recurrence rule that begins at `from`.
    fileprivate init?(_ text: Substring, from: CivilDateTime?, exceptions: Set<CivilDateTime>) {
        if let schedule = try? CronSchedule(parsing: text) {
            self = .cron(schedule)
        } else if let from,
            let rule = try? RecurrenceRule(parsing: text, start: from, exceptions: exceptions)
        {
            self = .recurrence(rule)
        } else {
            return nil
        }
    }
}
