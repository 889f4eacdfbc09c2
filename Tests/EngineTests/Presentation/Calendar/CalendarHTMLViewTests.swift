import Applying
import CampaignModel
import Presentation
import Testing

struct CalendarHTMLViewTests {
    private func count(_ part: String, in text: String) -> Int {
        text.ranges(of: part).count
    }

    @Test func `the grid has whole weeks that begin on Monday`() throws {
        // Friday to Monday of the next week.
        let page = CalendarHTMLView().render(try SampleCalendar.make())
        #expect(count("<li class=\"outside\"", in: page) == 10)
        #expect(count("<li class=\"busy\">", in: page) == 2)
        #expect(count("<li class=\"busy today\">", in: page) == 1)
        #expect(count("<li class=\"free\">", in: page) == 1)
        let weekdays = try #require(page.firstRange(of: "<li>Mon</li>"))
        let sunday = try #require(page.firstRange(of: "<li>Sun</li>"))
        #expect(weekdays.lowerBound < sunday.lowerBound)
    }

    @Test func `a day of many sends shows them in one row`() throws {
        let page = CalendarHTMLView().render(try SampleCalendar.make())
        #expect(page.contains("96 scheduled</span>"))
        #expect(page.contains("96 scheduled, 5,000 devices each</td>"))
    }

    @Test func `a cell shows eight rows, and the table all`() throws {
        let scope = try SampleCalendar.scope(from: "2027-01-15", to: "2027-01-15")
        let entries = try (0..<10).map { number in
            try SampleCalendar.entry("c\(number)", .scheduled, "2027-01-15T06:00:00Z")
        }
        let calendar = CalendarDescription(SendCalendar(scope, entries: entries))
        let page = CalendarHTMLView().render(calendar)
        #expect(page.contains(#"<p class="more">and 2 more</p>"#))
        #expect(count("<bdi>c9</bdi>", in: page) == 1)
        #expect(count("<bdi>c0</bdi>", in: page) == 2)
    }

    @Test func `escapes names`() throws {
        let scope = try SampleCalendar.scope(from: "2027-01-15", to: "2027-01-15")
        let evil = CalendarAudience(.list, named: "<script>")
        let entry = try SampleCalendar.entry("sale", .sent, "2027-01-15T06:00:00Z", to: evil)
        let calendar = CalendarDescription(SendCalendar(scope, entries: [entry]))
        let page = CalendarHTMLView().render(calendar)
        #expect(page.contains("<bdi>&lt;script&gt;</bdi>"))
        #expect(!page.contains("<script>"))
    }
}
