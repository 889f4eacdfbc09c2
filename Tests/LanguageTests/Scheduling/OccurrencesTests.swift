import Scheduling
import TestSupport
import Testing
import Time

struct OccurrencesTests {
    private func rows(
        _ pattern: SlotPattern,
        _ zone: String,
        after: String,
        count: Int
    ) throws -> [String] {
        let occurrences = Occurrences(pattern, in: try pinnedZones.rules(named: zone))
        let instant = try #require(Instant(rfc3339: after))
        return occurrences.next(after: instant, count: count).map {
            let note =
                switch $0.note {
                case .none: ""
                case .movedForward(let gap): " moved \(gap)"
                case .firstOfTwo: " first"
                }
            return "\($0.slot) = \($0.moment.utcText)\(note)"
        }
    }

    private func cron(_ text: String) throws -> SlotPattern {
        .cron(try CronSchedule(parsing: text))
    }

    private func rule(_ text: String, _ start: String) throws -> SlotPattern {
        .recurrence(try RecurrenceRule(parsing: text, start: try local(start)))
    }

    // Berlin leaves +01:00 on 2037-03-29 at 02:00 (01:00Z) and returns to it on 2037-10-25 at
    // 03:00.
    @Test func `a skipped time moves by the gap for at and rrule, to its end for cron`() throws {
        let after = "2037-03-28T12:00:00Z"
        let moved = ["2037-03-29 02:30 = 2037-03-29T01:30:00Z moved 3600"]
        #expect(
            try rows(.at(try local("2037-03-29 02:30")), "Europe/Berlin", after: after, count: 2)
                == moved
        )
        #expect(
            try rows(
                try rule("FREQ=DAILY", "2037-03-01 02:30"),
                "Europe/Berlin",
                after: after,
                count: 2
            )
                == moved + ["2037-03-30 02:30 = 2037-03-30T00:30:00Z"]
        )
        #expect(
            try rows(try cron("30 2 * * *"), "Europe/Berlin", after: after, count: 2) == [
                "2037-03-29 02:30 = 2037-03-29T01:00:00Z moved 3600",
                "2037-03-30 02:30 = 2037-03-30T00:30:00Z",
            ]
        )
    }

    @Test func `a repeated time is due once, the first time`() throws {
        let expected = [
            "2037-10-25 02:30 = 2037-10-25T00:30:00Z first",
            "2037-10-26 02:30 = 2037-10-26T01:30:00Z",
        ]
        let after = "2037-10-24T12:00:00Z"
        #expect(
            try rows(try cron("30 2 * * *"), "Europe/Berlin", after: after, count: 2) == expected
        )
        #expect(
            try rows(
                try rule("FREQ=DAILY", "2037-03-01 02:30"),
                "Europe/Berlin",
                after: after,
                count: 2
            )
                == expected
        )
        // Between the two passes, and in the second.
        for between in ["2037-10-25T00:30:00Z", "2037-10-25T00:45:00Z", "2037-10-25T01:15:00Z"] {
            #expect(
                try rows(try cron("30 2 * * *"), "Europe/Berlin", after: between, count: 1)
                    == [expected[1]]
            )
        }
    }

    @Test(arguments: ["*/20 * * * *", "*/20 1-3 * * *", "0,20,40 * * * *", "0,20,40 */1 * * *"])
    func `cron makes up for no skipped time if its minute or hour starts with a star`(
        text: String
    ) throws {
        let expected = [
            "2037-03-29 01:40 = 2037-03-29T00:40:00Z", "2037-03-29 03:00 = 2037-03-29T01:00:00Z",
            "2037-03-29 03:20 = 2037-03-29T01:20:00Z",
        ]
        #expect(
            try rows(try cron(text), "Europe/Berlin", after: "2037-03-29T00:20:00Z", count: 3)
                == expected
        )
        #expect(
            try rows(try cron(text), "Europe/Berlin", after: "2037-03-29T00:59:59Z", count: 2)
                == Array(expected[1...])
        )
        let day = try rows(
            try cron("*/30 2 * * *"),
            "Europe/Berlin",
            after: "2037-03-28T01:30:00Z",
            count: 1
        )
        #expect(day == ["2037-03-30 02:00 = 2037-03-30T00:00:00Z"])
    }

    @Test func `slots of a gap with one due time are due once, as the first slot`() throws {
        let expected = [
            "2037-03-29 01:40 = 2037-03-29T00:40:00Z",
            "2037-03-29 02:00 = 2037-03-29T01:00:00Z moved 3600",
            "2037-03-29 03:20 = 2037-03-29T01:20:00Z",
        ]
        let all = try rows(
            try cron("0,20,40 0-5 * * *"),
            "Europe/Berlin",
            after: "2037-03-29T00:20:00Z",
            count: 3
        )
        #expect(all == expected)
        // The result is the same for every start of the query.
        #expect(
            try rows(
                try cron("0,20,40 0-5 * * *"),
                "Europe/Berlin",
                after: "2037-03-29T00:59:59Z",
                count: 2
            )
                == Array(expected[1...])
        )
        #expect(
            try rows(
                try cron("0,20,40 0-5 * * *"),
                "Europe/Berlin",
                after: "2037-03-29T01:00:00Z",
                count: 1
            )
                == Array(expected[2...])
        )
    }

    @Test func `a rule's moved slots are sorted by due time`() throws {
        let pattern = try rule("FREQ=MINUTELY;INTERVAL=25", "2037-03-29 01:30")
        let expected = [
            "2037-03-29 01:30 = 2037-03-29T00:30:00Z", "2037-03-29 01:55 = 2037-03-29T00:55:00Z",
            "2037-03-29 03:10 = 2037-03-29T01:10:00Z",
            "2037-03-29 02:20 = 2037-03-29T01:20:00Z moved 3600",
            "2037-03-29 03:35 = 2037-03-29T01:35:00Z",
            "2037-03-29 02:45 = 2037-03-29T01:45:00Z moved 3600",
            "2037-03-29 04:00 = 2037-03-29T02:00:00Z",
        ]
        #expect(
            try rows(pattern, "Europe/Berlin", after: "2037-03-29T00:00:00Z", count: 7) == expected
        )
        for (index, after) in [
            (3, "2037-03-29T01:10:00Z"), (5, "2037-03-29T01:40:00Z"), (6, "2037-03-29T01:45:00Z"),
        ] {
            #expect(
                try rows(pattern, "Europe/Berlin", after: after, count: 7 - index)
                    == Array(expected[index...])
            )
        }
    }

    @Test func `a day that a zone skips moves completely`() throws {
        // Samoa had no 2011-12-30: clocks went from 23:59:59 to midnight of the 31st, 10:00Z.
        let after = "2011-12-29T12:00:00Z"
        #expect(
            try rows(try cron("0 9 * * *"), "Pacific/Apia", after: after, count: 3) == [
                "2011-12-29 09:00 = 2011-12-29T19:00:00Z",
                "2011-12-30 09:00 = 2011-12-30T10:00:00Z moved 86400",
                "2011-12-31 09:00 = 2011-12-30T19:00:00Z",
            ]
        )
        // A rule's slot on the 30th moves to the same instant as the slot on the 31st.
        #expect(
            try rows(
                try rule("FREQ=DAILY", "2011-12-01 09:00"),
                "Pacific/Apia",
                after: after,
                count: 3
            ) == [
                "2011-12-29 09:00 = 2011-12-29T19:00:00Z",
                "2011-12-30 09:00 = 2011-12-30T19:00:00Z moved 86400",
                "2012-01-01 09:00 = 2011-12-31T19:00:00Z",
            ]
        )
    }

    @Test func `a rule with only skipped slots is due once a year`() throws {
        // New York's clocks are set forward on the second Sunday of March.
        let rows = try rows(
            try rule("FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "2036-01-01 02:30"),
            "America/New_York",
            after: "2036-01-01T00:00:00Z",
            count: 2
        )
        #expect(
            rows == [
                "2036-03-09 02:30 = 2036-03-09T07:30:00Z moved 3600",
                "2037-03-08 02:30 = 2037-03-08T07:30:00Z moved 3600",
            ]
        )
    }

    @Test func `a half-hour gap moves by half an hour`() throws {
        // Lord Howe leaves +10:30 on 2037-10-04 at 02:00 (2037-10-03T15:30Z).
        #expect(
            try rows(
                .at(try local("2037-10-04 02:15")),
                "Australia/Lord_Howe",
                after: "2037-01-01T00:00:00Z",
                count: 1
            )
                == ["2037-10-04 02:15 = 2037-10-03T15:45:00Z moved 1800"]
        )
    }

    @Test func `UNTIL in UTC limits the due time, not the slot`() throws {
        let text = "FREQ=DAILY;UNTIL=20370329T013000Z"
        let until = try rows(
            try rule(text, "2037-03-27 02:30"),
            "Europe/Berlin",
            after: "2037-01-01T00:00:00Z",
            count: 9
        )
        #expect(until.count == 3)
        #expect(until.last == "2037-03-29 02:30 = 2037-03-29T01:30:00Z moved 3600")
        let exact = try rule("FREQ=DAILY;UNTIL=20370328T013000Z", "2037-03-27 02:30")
        #expect(
            try rows(exact, "Europe/Berlin", after: "2037-01-01T00:00:00Z", count: 9).count == 2
        )
        let earlier = try rule("FREQ=DAILY;UNTIL=20370329T012959Z", "2037-03-27 02:30")
        #expect(
            try rows(earlier, "Europe/Berlin", after: "2037-01-01T00:00:00Z", count: 9).count == 2
        )
    }

    @Test func `an at schedule is due exactly once`() throws {
        let pattern = SlotPattern.at(try local("2037-03-20 07:30"))
        #expect(
            try rows(pattern, "Europe/Berlin", after: "2037-03-20T06:29:59Z", count: 3).count == 1
        )
        #expect(try rows(pattern, "Europe/Berlin", after: "2037-03-20T06:30:00Z", count: 3) == [])
        #expect(try rows(pattern, "Europe/Berlin", after: "2037-01-01T00:00:00Z", count: 0) == [])
    }

    @Test func `ends at the end of the calendar`() throws {
        let occurrences = Occurrences(try cron("0 0 1 1 *"), in: .utc)
        let late = try #require(Instant(rfc3339: "9997-06-01T00:00:00Z"))
        #expect(
            occurrences.next(after: late, count: 5).map(\.moment.utcText) == [
                "9998-01-01T00:00:00Z", "9999-01-01T00:00:00Z",
            ]
        )
    }
}
