package import Applying
import CampaignModel
import Time

/// A calendar as people read it: by day, then by audience.
package struct CalendarDescription: Sendable {
    package let calendar: SendCalendar
    /// The days with sends.
    let days: [CalendarDay]

    package init(_ calendar: SendCalendar) {
        self.calendar = calendar
        let byDate = Dictionary(grouping: calendar.entries) { entry in
            calendar.scope.zone.localTime(at: entry.due.instant).date
        }
        days = byDate.sorted { $0.key < $1.key }.map { date, entries in
            CalendarDay(on: date, entries: entries, scope: calendar.scope)
        }
    }

    var scope: SendCalendar.Scope { calendar.scope }

    /// The current day in the calendar's time zone.
    var today: CivilDate { scope.zone.localTime(at: scope.now).date }
}

/// The sends of a day.
struct CalendarDay: Sendable {
    let date: CivilDate
    /// By wording.
    let audiences: [CalendarDayAudience]

    init(on date: CivilDate, entries: [CalendarEntry], scope: SendCalendar.Scope) {
        self.date = date
        audiences = Dictionary(grouping: entries, by: \.audience)
            .map { CalendarDayAudience(audience: $0, entries: $1, scope: scope) }
            .sorted { $0.audience.wording < $1.audience.wording }
    }

    /// The number of sends.
    var count: Int { audiences.reduce(0) { $0 + $1.entries.count } }
}

/// The sends to an audience on a day.
struct CalendarDayAudience: Sendable {
    let audience: CalendarAudience
    /// By due time, then by campaign.
    let entries: [CalendarEntry]
    private let scope: SendCalendar.Scope

    /// The number of scheduled sends of a campaign on a day that are shown one by one.
    private static let single = 4

    init(audience: CalendarAudience, entries: [CalendarEntry], scope: SendCalendar.Scope) {
        self.audience = audience
        self.entries = entries
        self.scope = scope
    }

    /// One row per send; many scheduled sends of a campaign share a row.
    var rows: [CalendarRow] {
        let many = Dictionary(
            grouping: entries.filter { $0.state == .scheduled },
            by: \.id.campaign
        )
        .filter { $1.count > Self.single }
        var shown: Set<CampaignID> = []
        return entries.compactMap { entry in
            guard entry.state == .scheduled, let all = many[entry.id.campaign] else {
                return CalendarRow([entry], in: scope)
            }
            return shown.insert(entry.id.campaign).inserted ? CalendarRow(all, in: scope) : nil
        }
    }
}

/// A row: one send, or many scheduled sends of a campaign.
struct CalendarRow: Sendable {
    let first: CalendarEntry
    let last: CalendarEntry
    let count: Int
    private let scope: SendCalendar.Scope

    /// `entries`: at least one, by due time.
    init?(_ entries: [CalendarEntry], in scope: SendCalendar.Scope) {
        guard let first = entries.first, let last = entries.last else { return nil }
        self.first = first
        self.last = last
        count = entries.count
        self.scope = scope
    }

    /// For example, `07:30`, or `00:00–23:45` for many sends.
    var time: String { count == 1 ? time(of: first) : "\(time(of: first))–\(time(of: last))" }

    private func time(of entry: CalendarEntry) -> String {
        scope.zone.localTime(at: entry.due.instant).time.description
    }

    /// The state, with counts, devices and the time in the schedule's own zone.
    var wording: String { ([state] + facts).joined(separator: ", ") }

    private var state: String {
        guard count == 1 else { return "\(count.grouped) \(first.state.wording)" }
        if let original = first.deferredFrom {
            return "\(first.state.wording) by quiet hours from \(local(original))"
        }
        let counts = first.counts?.wording ?? ""
        return counts.isEmpty ? first.state.wording : "\(first.state.wording): \(counts)"
    }

    private var facts: [String] {
        var facts: [String] = []
        if first.capped > 0 { facts.append(CapWording.over(first.capped)) }
        if first.counts == nil, let devices = first.devices {
            facts.append(devices.counting("device") + (count == 1 ? "" : " each"))
        }
        let here = scope.zone.localTime(at: first.due.instant)
        if count == 1, first.due.local != here {
            let day = first.due.local.date == here.date ? "" : "\(first.due.local.date) "
            facts.append("\(day)\(first.due.local.time) \(first.due.zone)")
        }
        return facts
    }

    /// A time of the same day without its date.
    private func local(_ instant: Instant) -> String {
        let (local, due) = (
            scope.zone.localTime(at: instant), scope.zone.localTime(at: first.due.instant)
        )
        return local.date == due.date ? "\(local.time)" : "\(local)"
    }
}
