import Applying
import CampaignModel
import Testing

@testable import Presentation

struct ICalendarViewTests {
    private func render(_ entries: CalendarEntry...) throws -> [String] {
        let scope = try SampleCalendar.scope(from: "2027-01-15", to: "2027-01-15")
        let text = ICalendarView().render(
            CalendarDescription(SendCalendar(scope, entries: entries))
        )
        #expect(text.hasSuffix("\r\n"))
        return text.split(separator: "\r\n").map(String.init)
    }

    @Test func `a calendar has a name and a refresh interval`() throws {
        #expect(
            try render() == [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Herald//herald calendar//EN",
                "CALSCALE:GREGORIAN", "METHOD:PUBLISH", "NAME:tidewatch production",
                "X-WR-CALNAME:tidewatch production", "X-WR-TIMEZONE:Atlantic/Azores",
                "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H", "END:VCALENDAR",
            ]
        )
    }

    @Test func `an event has the UTC time and the number of its last change`() throws {
        let entry = try SampleCalendar.entry(
            "daily",
            .scheduled,
            "2027-01-15T06:30:00Z",
            zone: "Europe/Berlin",
            run: 7
        )
        #expect(
            try render(entry).dropFirst(10).dropLast() == [
                "BEGIN:VEVENT", "UID:daily/once/1@0123456789abcdef", "DTSTAMP:20270115T080000Z",
                "LAST-MODIFIED:20270115T080000Z", "SEQUENCE:14", "DTSTART:20270115T063000Z",
                "SUMMARY:daily to topic tides",
                #"DESCRIPTION:Occurrence: daily/once/1\nState: scheduled\nAudience: topic tid"#,
                #" es\nDue: 2027-01-15 07:30 Europe/Berlin\nDevices: 5\,000"#,
                "CATEGORIES:scheduled", "STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "END:VEVENT",
            ]
        )
    }

    @Test(
        arguments: [
            (CalendarEntry.State.scheduled, "SEQUENCE:6", "STATUS:CONFIRMED"),
            (.paused, "SEQUENCE:6", "STATUS:CONFIRMED"),
            (.sent, "SEQUENCE:7", "STATUS:CONFIRMED"),
            (.cancelled, "SEQUENCE:7", "STATUS:CANCELLED"),
            (.expired, "SEQUENCE:7", "STATUS:CANCELLED"),
        ]
    )
    func `the end of a send is a change`(
        state: CalendarEntry.State,
        sequence: String,
        status: String
    ) throws {
        let lines = try render(
            SampleCalendar.entry("sale", state, "2027-01-15T06:30:00Z", run: 3)
        )
        #expect(lines.contains(sequence))
        #expect(lines.contains(status))
    }

    @Test func `a summary names a state that is not the usual one`() throws {
        let paused = try SampleCalendar.entry("sale", .paused, "2027-01-15T06:30:00Z")
        #expect(try render(paused).contains("SUMMARY:sale to topic tides (paused)"))
    }
}
