import Scheduling
import Testing
import Time

struct RecurrenceRuleTests {
    private func rule(
        _ text: String,
        _ start: String,
        except: [String] = []
    ) throws -> RecurrenceRule {
        try RecurrenceRule(
            parsing: text,
            start: try local(start),
            exceptions: Set(try except.map(local))
        )
    }

    private func slots(_ text: String, _ start: String, _ count: Int) throws -> [String] {
        try rule(text, start).slots().prefix(count).map(\.description)
    }

    @Test(arguments: RFC5545Example.all)
    func `returns the results that RFC 5545 publishes`(example: RFC5545Example) throws {
        let count = example.slots.count + (example.isComplete ? 5 : 0)
        #expect(try slots(example.rule, example.start, count) == example.slots)
    }

    @Test(arguments: RFC5545Example.all)
    func `returns the same slots when it starts in the middle`(example: RFC5545Example) throws {
        let rule = try rule(example.rule, example.start)
        for (index, slot) in example.slots.enumerated() {
            let rest = example.slots.dropFirst(index + 1)
            let later = rule.slots(after: try local(slot)).prefix(rest.count).map(\.description)
            #expect(later == Array(rest), "after \(slot)")
        }
    }

    @Test func `yearly and daily rules for every day in January agree`() throws {
        let byYear = try slots(
            "FREQ=YEARLY;UNTIL=20000131T140000;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
            "1998-01-01 09:00",
            200
        )
        #expect(byYear.count == 93)
        #expect(
            try slots("FREQ=DAILY;UNTIL=20000131T140000;BYMONTH=1", "1998-01-01 09:00", 200)
                == byYear
        )
    }

    @Test func `an exception is excluded but counted`() throws {
        let rule = try rule(
            "FREQ=DAILY;COUNT=3",
            "2037-03-01 07:30",
            except: ["2037-03-02 07:30", "2037-03-03 08:00"]
        )
        #expect(rule.slots().map(\.description) == ["2037-03-01 07:30", "2037-03-03 07:30"])
    }

    @Test(
        arguments: [
            // Week 20 of 2037 is May 11 to 17; the start is a Friday.
            (
                "FREQ=YEARLY;BYWEEKNO=20", "2037-03-20 07:30",
                ["2037-05-15 07:30", "2038-05-21 07:30"]
            ),
            // 2020 had 53 weeks: its last ends on 2021-01-03. The last of 2021 ends on 2022-01-02.
            (
                "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU", "2021-01-01 00:00",
                ["2021-01-03 00:00", "2027-01-03 00:00"]
            ),
            (
                "FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU", "2021-01-01 00:00",
                ["2021-01-03 00:00", "2022-01-02 00:00"]
            ),
            // Monday of the first week of 2025 is 2024-12-30.
            (
                "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO", "2024-06-01 00:00",
                ["2024-12-30 00:00", "2025-12-29 00:00"]
            ),
            // Plain and numbered weekdays together: each Monday, and the second Tuesday.
            (
                "FREQ=MONTHLY;BYDAY=MO,2TU", "2037-03-01 00:00",
                ["2037-03-02 00:00", "2037-03-09 00:00", "2037-03-10 00:00", "2037-03-16 00:00"]
            ),
            // The first week counts completely, although the start is in its middle (a Friday).
            (
                "FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=1", "2037-03-20 07:30",
                ["2037-03-23 07:30", "2037-03-30 07:30"]
            ),
            ("FREQ=YEARLY", "2036-02-29 12:00", ["2036-02-29 12:00", "2040-02-29 12:00"]),
            ("FREQ=MONTHLY", "2037-01-31 12:00", ["2037-01-31 12:00", "2037-03-31 12:00"]),
            // 2040 is a leap year: its 366th day is the last, and its 366th to last the first.
            (
                "FREQ=YEARLY;BYYEARDAY=366,-366", "2037-01-01 00:00",
                ["2040-01-01 00:00", "2040-12-31 00:00"]
            ),
            (
                "FREQ=YEARLY;BYMONTHDAY=-1;BYMONTH=2", "2037-01-01 00:00",
                ["2037-02-28 00:00", "2038-02-28 00:00"]
            ),
            (
                "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0,30;BYSECOND=15;BYSETPOS=2,-1",
                "2037-03-20 07:30",
                ["2037-03-20 08:30:15", "2037-03-20 20:30:15", "2037-03-21 08:30:15"]
            ),
            (
                "FREQ=HOURLY;BYMINUTE=5,10;BYSETPOS=-1", "2037-03-20 07:30",
                ["2037-03-20 08:10", "2037-03-20 09:10"]
            ),
            (
                "FREQ=HOURLY;INTERVAL=5;BYDAY=MO", "2037-03-20 00:30",
                ["2037-03-23 03:30", "2037-03-23 08:30"]
            ),
            (
                "FREQ=HOURLY;INTERVAL=2;BYDAY=MO", "2037-03-20 00:30",
                ["2037-03-23 00:30", "2037-03-23 02:30"]
            ),
            ("rrule:freq=daily;byday=mo", "2037-03-20 00:00", ["2037-03-23 00:00"]),
            (
                "RRULE:FREQ=DAILY;UNTIL=20370321T000000", "2037-03-20 00:00",
                ["2037-03-20 00:00", "2037-03-21 00:00"]
            ),
        ] as [(String, String, [String])]
    )
    func `returns the expected slots`(text: String, start: String, expected: [String]) throws {
        #expect(try slots(text, start, expected.count) == expected)
    }

    @Test func `finds rare slots and ends after the last`() throws {
        // February 29 on a Monday, in every year and in every third.
        #expect(
            try slots(
                "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYHOUR=9;BYMINUTE=0",
                "2037-01-01 00:00",
                2
            )
                == ["2044-02-29 09:00", "2072-02-29 09:00"]
        )
        #expect(try slots("FREQ=YEARLY;INTERVAL=500", "2037-01-01 00:00", 3).count == 3)
        #expect(try slots("FREQ=YEARLY", "9998-01-01 00:00", 3).count == 2)
    }

    @Test func `a year of seconds is not stored`() throws {
        let all = (0...59).map(String.init).joined(separator: ",")
        let days = (1...31).map(String.init).joined(separator: ",")
        let rule = try rule(
            "FREQ=YEARLY;BYMONTHDAY=\(days);BYHOUR=0,12;BYMINUTE=\(all);BYSECOND=\(all);BYSETPOS=1,-1",
            "2037-01-01 00:00"
        )
        #expect(
            rule.slots().prefix(3).map(\.description) == [
                "2037-01-01 00:00", "2037-12-31 12:59:59", "2038-01-01 00:00",
            ]
        )
    }

    @Test func `describes the meaning of the rule`() throws {
        let rule = try rule(
            "FREQ=MONTHLY;INTERVAL=2;BYDAY=-1FR,MO;BYHOUR=9;COUNT=4",
            "2037-01-30 18:00",
            except: ["2037-03-27 09:00"]
        )
        #expect(
            rule.wording.map { "\($0.part): \($0.meaning)" } == [
                "every: 2nd month", "start: 2037-01-30 18:00",
                "weekdays: Monday and the last Friday of the month", "hours: 9",
                "end: after 4 times", "except: 2037-03-27 09:00",
            ]
        )
    }
}

struct RecurrenceErrorTests {
    private func problem(
        _ text: String,
        _ start: String
    ) throws -> (RecurrenceError.Problem, String)? {
        let start = try local(start)
        do {
            _ = try RecurrenceRule(parsing: text, start: start)
            return nil
        } catch {
            return (error.problem, String(decoding: Array(text.utf8)[error.range], as: UTF8.self))
        }
    }

    @Test(
        arguments: [
            ("FREQ=FORTNIGHTLY", RecurrencePart.frequency, "FORTNIGHTLY"),
            ("FREQ=", .frequency, ""),
            ("FREQ=DAILY;INTERVAL=0", .interval, "0"), ("FREQ=DAILY;COUNT=0", .count, "0"),
            ("FREQ=DAILY;COUNT=-1", .count, "-1"),
            ("FREQ=DAILY;UNTIL=20370320", .until, "20370320"),
            ("FREQ=DAILY;UNTIL=20370230T000000", .until, "20370230T000000"),
            ("FREQ=DAILY;UNTIL=20370320T000000+01", .until, "20370320T000000+01"),
            ("FREQ=DAILY;BYMONTH=1,13", .byMonth, "13"), ("FREQ=DAILY;BYMONTH=-1", .byMonth, "-1"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", .byMonthDay, "0"),
            ("FREQ=MONTHLY;BYMONTHDAY=1,-32", .byMonthDay, "-32"),
            ("FREQ=YEARLY;BYYEARDAY=367", .byYearDay, "367"),
            ("FREQ=YEARLY;BYWEEKNO=54", .byWeekNumber, "54"),
            ("FREQ=DAILY;BYHOUR=24", .byHour, "24"), ("FREQ=DAILY;BYMINUTE=60", .byMinute, "60"),
            ("FREQ=DAILY;BYSECOND=60", .bySecond, "60"), ("FREQ=WEEKLY;BYDAY=MO,XX", .byDay, "XX"),
            ("FREQ=MONTHLY;BYDAY=0MO", .byDay, "0MO"), ("FREQ=MONTHLY;BYDAY=54MO", .byDay, "54MO"),
            ("FREQ=WEEKLY;BYDAY=MO,,FR", .byDay, ""), ("FREQ=WEEKLY;WKST=1MO", .weekStart, "1MO"),
            ("FREQ=DAILY;BYHOUR=8;BYSETPOS=367", .bySetPosition, "367"),
        ] as [(String, RecurrencePart, String)]
    )
    func `points at an invalid value of a part`(
        text: String,
        part: RecurrencePart,
        marked: String
    ) throws {
        let found = try #require(try problem(text, "2037-03-20 07:30"))
        #expect(found.0 == .value(part, marked))
        #expect(found.1 == marked)
    }

    @Test(
        arguments: [
            ("INTERVAL=2", .missingFrequency, "INTERVAL=2"), ("", .notAPart(""), ""),
            ("RRULE:", .notAPart(""), ""),
            ("FREQ=DAILY;", .notAPart(""), ""), ("FREQ=DAILY;COUNT", .notAPart("COUNT"), "COUNT"),
            ("FREQ=DAILY;BYEASTER=0", .unknownPart("BYEASTER"), "BYEASTER"),
            ("FREQ=DAILY;COUNT=1;COUNT=1", .repeatedPart(.count), "COUNT=1"),
            ("RRULE:FREQ=SECONDLY", .secondly, "SECONDLY"),
            ("FREQ=DAILY;COUNT=1;UNTIL=20370320T000000", .countAndUntil, "UNTIL=20370320T000000"),
            ("FREQ=MONTHLY;BYWEEKNO=1", .meaningless(.byWeekNumber, at: "MONTHLY"), "BYWEEKNO=1"),
            ("FREQ=MONTHLY;BYYEARDAY=1", .meaningless(.byYearDay, at: "MONTHLY"), "BYYEARDAY=1"),
            ("FREQ=WEEKLY;BYMONTHDAY=1", .meaningless(.byMonthDay, at: "WEEKLY"), "BYMONTHDAY=1"),
            ("FREQ=WEEKLY;BYDAY=2MO", .ordinals(at: "WEEKLY"), "BYDAY=2MO"),
            ("FREQ=YEARLY;BYWEEKNO=1;BYDAY=2MO", .ordinalsWithWeekNumbers, "BYDAY=2MO"),
            ("FREQ=DAILY;BYSETPOS=1", .positionsOfNothing, "BYSETPOS=1"),
        ] as [(String, RecurrenceError.Problem, String)]
    )
    func `points at the error`(
        text: String,
        expected: RecurrenceError.Problem,
        marked: String
    ) throws {
        let found = try #require(try problem(text, "2037-03-20 07:30"))
        #expect(found.0 == expected)
        #expect(found.1 == marked)
    }

    @Test(arguments: [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31",
        "FREQ=DAILY;UNTIL=20370320T072959", "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=8",
        "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=HOURLY;INTERVAL=2;BYHOUR=8",
        "FREQ=MINUTELY;INTERVAL=15;BYMINUTE=1", "FREQ=YEARLY;INTERVAL=2;BYYEARDAY=366",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=DAILY;BYHOUR=8;BYSETPOS=2",
    ])
    func `refuses a rule that never matches`(text: String) throws {
        // 2037-03-20 is a Friday.
        #expect(try problem(text, "2037-03-20 07:30")?.0 == .neverMatches)
    }
}
