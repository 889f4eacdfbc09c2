import Applying
import CampaignModel
import State
import Time

/// Renders a calendar as an iCalendar file (RFC 5545), to which calendar programs subscribe.
///
/// Each send is an event with a UTC time. Recurrence rules are not used, because clock changes move
/// the sends of cron expressions differently. The UID of an event never changes, so a moved send
/// updates its event.
package struct ICalendarView {
    /// How often a program fetches the file again (RFC 7986, section 5.7).
    private static let refreshInterval = "PT1H"

    package init() {}

    package func render(_ calendar: CalendarDescription) -> String {
        let scope = calendar.scope
        let head = [
            ICalendarLine("BEGIN", "VCALENDAR"),
            ICalendarLine("VERSION", "2.0"),
            ICalendarLine("PRODID", text: "-//Herald//herald calendar//EN"),
            ICalendarLine("CALSCALE", "GREGORIAN"),
            ICalendarLine("METHOD", "PUBLISH"),
            ICalendarLine("NAME", text: calendar.name),
            ICalendarLine("X-WR-CALNAME", text: calendar.name),
            ICalendarLine("X-WR-TIMEZONE", text: scope.zone.name),
            ICalendarLine("REFRESH-INTERVAL;VALUE=DURATION", Self.refreshInterval),
            ICalendarLine("X-PUBLISHED-TTL", Self.refreshInterval),
        ]
        let end = [ICalendarLine("END", "VCALENDAR")]
        var text = ""
        for line in head { text += line.folded }
        for entry in calendar.calendar.entries {
            for line in event(entry, in: scope) { text += line.folded }
        }
        for line in end { text += line.folded }
        return text
    }

    private func event(_ entry: CalendarEntry, in scope: SendCalendar.Scope) -> [ICalendarLine] {
        let change = entry.change
        return [
            ICalendarLine("BEGIN", "VEVENT"),
            ICalendarLine("UID", text: "\(entry.id)@\(scope.lineage)"),
            ICalendarLine("DTSTAMP", scope.now.iCalendarText),
            ICalendarLine("LAST-MODIFIED", (change?.moment ?? scope.now).iCalendarText),
            ICalendarLine("SEQUENCE", "\(entry.sequence)"),
            ICalendarLine("DTSTART", entry.due.instant.iCalendarText),
            ICalendarLine("SUMMARY", text: entry.summary),
            ICalendarLine("DESCRIPTION", text: entry.description(in: scope)),
            ICalendarLine("CATEGORIES", text: entry.state.wording),
            ICalendarLine("STATUS", entry.state.isDropped ? "CANCELLED" : "CONFIRMED"),
            ICalendarLine("TRANSP", "TRANSPARENT"),
            ICalendarLine("END", "VEVENT"),
        ]
    }
}

extension CalendarDescription {
    /// For example, `tidewatch production`.
    fileprivate var name: String { "\(scope.project) \(scope.environment)" }
}

extension CalendarEntry {
    /// The revision of the event (RFC 5545, section 3.8.7.4).
    ///
    /// The number of a run rises with each change that it records. The end of a send counts as a
    /// change, even if no run changes it after that.
    fileprivate var sequence: Int64 {
        2 * (change?.run.number ?? 0) + (state.isOver ? 1 : 0)
    }

    /// For example, `spring-tide to topic tides (paused)`.
    fileprivate var summary: String {
        let subject = "\(id.campaign) to \(audience.wording)"
        return state == .scheduled ? subject : "\(subject) (\(state.wording))"
    }

    fileprivate func description(in scope: SendCalendar.Scope) -> String {
        var lines = [
            "Occurrence: \(id)",
            "State: \(state.wording)",
            "Audience: \(audience.wording)",
            "Due: \(due.local) \(due.zone)",
        ]
        if let deferredFrom {
            let local = scope.zone.localTime(at: deferredFrom)
            lines.append("Deferred by quiet hours from: \(local) \(scope.zone.name)")
        }
        if let devices { lines.append("Devices: \(devices.grouped)") }
        if let counts, !counts.wording.isEmpty {
            let cap = capped > 0 ? ", \(CapWording.over(capped))" : ""
            lines.append("Requests: \(counts.wording)\(cap)")
        }
        return lines.joined(separator: "\n")
    }
}

extension Instant {
    /// A time in UTC (RFC 5545, section 3.3.5), such as `20370320T083000Z`.
    fileprivate var iCalendarText: String { utcText.filter { $0 != "-" && $0 != ":" } }
}
