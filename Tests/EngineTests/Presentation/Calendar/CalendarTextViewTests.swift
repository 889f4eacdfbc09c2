import Applying
import CampaignModel
import Presentation
import Testing

struct CalendarTextViewTests {
    private func text(_ calendar: CalendarDescription, columns: Int? = nil) -> String {
        CalendarTextView(style: TextStyle(useColor: false, width: TextWidth(columns: columns)))
            .render(calendar)
    }

    @Test func `lists the sends by day and audience`() throws {
        #expect(
            try text(SampleCalendar.make()) == """
                Calendar of production of tidewatch
                2027-01-15 to 2027-01-18; days and times in Atlantic/Azores

                Fri 2027-01-15, today
                  anglers
                    05:00        storm  sent: 1,198 accepted, 2 rejected, 40 suppressed, \
                40 of them over the frequency cap
                  audience no longer recorded
                    19:00        gale   cancelled

                Sat 2027-01-16
                  topic tides
                    05:30        daily  scheduled, 5,000 devices, 07:30 Europe/Berlin

                Sun 2027-01-17
                  topic tides
                    00:00–23:45  sync   96 scheduled, 5,000 devices each
                    07:00        night  deferred by quiet hours from 2027-01-16 22:30, 5,000 devices

                """
        )
    }

    @Test func `folds long lines below the state`() throws {
        #expect(
            try text(SampleCalendar.make(), columns: 60).contains(
                """
                    05:30        daily  scheduled, 5,000 devices, 07:30
                                        Europe/Berlin

                """
            )
        )
    }

    @Test(arguments: [40, 80, 160]) func `fits the width of the terminal`(columns: Int) throws {
        let lines = try text(SampleCalendar.make(), columns: columns).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= columns })
    }

    @Test func `says that there is nothing`() throws {
        let scope = try SampleCalendar.scope(from: "2027-01-15", to: "2027-01-15")
        #expect(
            text(CalendarDescription(SendCalendar(scope, entries: []))) == """
                Calendar of production of tidewatch
                2027-01-15 to 2027-01-15; days and times in Atlantic/Azores

                Nothing was sent or is scheduled on these days.

                """
        )
    }

    @Test func `names campaigns of which sends are missing`() throws {
        let scope = try SampleCalendar.scope(from: "2027-01-15", to: "2027-01-15")
        let calendar = SendCalendar(
            scope,
            entries: [],
            cut: try ["a", "b", "c", "d", "e", "f"].map { try #require(CampaignID($0)) }
        )
        let expected =
            "Some sends of a, b, c, d, e and 1 more are left out. Choose a shorter period."
        #expect(text(CalendarDescription(calendar)).contains(expected))
    }

    @Test func `escapes control characters of names`() throws {
        let scope = try SampleCalendar.scope(from: "2027-01-15", to: "2027-01-15")
        let evil = CalendarAudience(.condition, named: "\u{1B}[2J\n")
        let entry = try SampleCalendar.entry("sale", .sent, "2027-01-15T06:00:00Z", to: evil)
        let text = text(CalendarDescription(SendCalendar(scope, entries: [entry])))
        #expect(text.contains("  condition \\u{1B}[2J\\u{A}\n"))
    }
}
