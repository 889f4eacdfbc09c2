import Scheduling
import Testing
import Time

func local(_ text: String) throws -> CivilDateTime {
    try #require(CivilDateTime(parsing: text))
}

struct CronScheduleTests {
    private func times(_ text: String, after: String, count: Int) throws -> [String] {
        let schedule = try CronSchedule(parsing: text)
        var times: [String] = []
        var last = try local(after)
        for _ in 0..<count {
            last = try #require(schedule.next(after: last))
            times.append(last.description)
        }
        return times
    }

    // 2037-03-01 is a Sunday.
    @Test(arguments: [
        ("30 7 * * *", ["2037-03-01 07:30", "2037-03-02 07:30"]),
        ("*/20 7 1 3 *", ["2037-03-01 07:00", "2037-03-01 07:20", "2037-03-01 07:40"]),
        ("10-50/20 0 1 3 *", ["2037-03-01 00:10", "2037-03-01 00:30", "2037-03-01 00:50"]),
        ("0 8,18 2 3 *", ["2037-03-02 08:00", "2037-03-02 18:00", "2038-03-02 08:00"]),
        ("0 0 * mar-Apr MON", ["2037-03-02 00:00", "2037-03-09 00:00"]),
        ("0 0 * * fri,SUN", ["2037-03-06 00:00", "2037-03-08 00:00"]),
        ("0 0 * * 5-7", ["2037-03-06 00:00", "2037-03-07 00:00", "2037-03-08 00:00"]),
        ("0 0 * * 0", ["2037-03-08 00:00", "2037-03-15 00:00"]),
        ("0 0 * * 7", ["2037-03-08 00:00", "2037-03-15 00:00"]),
        ("0 0 L * *", ["2037-03-31 00:00", "2037-04-30 00:00", "2037-05-31 00:00"]),
        ("0 0 15,l 2 *", ["2038-02-15 00:00", "2038-02-28 00:00"]),
        ("0 0 * * 5L", ["2037-03-27 00:00", "2037-04-24 00:00"]),
        ("0 0 * * friL", ["2037-03-27 00:00", "2037-04-24 00:00"]),
        ("0 0 * * 5#2", ["2037-03-13 00:00", "2037-04-10 00:00"]),
        ("0 0 * * MON#5", ["2037-03-30 00:00", "2037-06-29 00:00"]),
        ("\t0  0 31\t* * ", ["2037-03-31 00:00", "2037-05-31 00:00"]),
    ])
    func `returns the times that the fields match`(text: String, expected: [String]) throws {
        let times = try times(text, after: "2037-03-01 00:00", count: expected.count)
        #expect(times == expected)
    }

    @Test(arguments: [
        // Both fields are restricted: one match is enough. 2037-03-13 is a Friday.
        ("0 0 14 3 5", ["2037-03-06 00:00", "2037-03-13 00:00", "2037-03-14 00:00"]),
        ("0 0 14 3 5#2", ["2037-03-13 00:00", "2037-03-14 00:00", "2038-03-12 00:00"]),
        // One begins with a star: both must match.
        ("0 0 */2 3 5", ["2037-03-13 00:00", "2037-03-27 00:00", "2038-03-05 00:00"]),
        ("0 0 13 * */5", ["2037-03-13 00:00", "2037-09-13 00:00", "2037-11-13 00:00"]),
    ])
    func `two restricted day fields are alternatives, and a field with a star narrows the other`(
        text: String,
        expected: [String]
    ) throws {
        let times = try times(text, after: "2037-03-01 00:00", count: expected.count)
        #expect(times == expected)
    }

    @Test func `the next time is always later`() throws {
        let schedule = try CronSchedule(parsing: "30 7 * * *")
        #expect(
            schedule.next(after: try local("2037-03-01 07:29:59"))?.description
                == "2037-03-01 07:30"
        )
        #expect(
            schedule.next(after: try local("2037-03-01 07:30:00"))?.description
                == "2037-03-02 07:30"
        )
        #expect(
            schedule.next(after: try local("2037-03-01 07:30:01"))?.description
                == "2037-03-02 07:30"
        )
    }

    @Test func `finds a day that occurs every forty years`() throws {
        // Mondays that are February 29; 2100 is not a leap year.
        let mondays = try times("0 0 */28 2 1#5", after: "2072-02-29 00:00", count: 2)
        #expect(mondays == ["2112-02-29 00:00", "2140-02-29 00:00"])
    }

    @Test func `ends at the end of the calendar`() throws {
        let schedule = try CronSchedule(parsing: "0 0 1 1 *")
        #expect(
            schedule.next(after: try local("9998-12-31 23:59"))?.description == "9999-01-01 00:00"
        )
        #expect(schedule.next(after: try local("9999-01-01 00:00")) == nil)
    }

    @Test func `describes the meaning of each field`() throws {
        let schedule = try CronSchedule(parsing: "*/15 8-18 1,L * MON-FRI")
        #expect(
            schedule.wording.map { "\($0.part): \($0.meaning)" } == [
                "minute: 0 to 45 in steps of 15", "hour: 8 to 18",
                "day of month: 1, and the last day of the month", "month: every month",
                "day of week: Monday to Friday",
                "days: either field may match, because both are restricted",
            ]
        )
    }
}

struct CronErrorTests {
    private func problem(_ text: String) -> (CronError.Problem, String)? {
        do {
            _ = try CronSchedule(parsing: text)
            return nil
        } catch {
            return (error.problem, String(decoding: Array(text.utf8)[error.range], as: UTF8.self))
        }
    }

    @Test(
        arguments: [
            ("60 * * * *", CronField.minute, "60"), ("* 24 * * *", .hour, "24"),
            ("* * 0 * *", .dayOfMonth, "0"), ("* * 32 * *", .dayOfMonth, "32"),
            ("* * * 0 *", .month, "0"), ("* * * 13 *", .month, "13"),
            ("* * * * 8", .dayOfWeek, "8"),
            ("1,x * * * *", .minute, "x"), ("1,,2 * * * *", .minute, ""),
            ("é * * * *", .minute, "é"),
            ("* JAN * * *", .hour, "JAN"), ("* * * MON *", .month, "MON"),
            ("* * * * JAN", .dayOfWeek, "JAN"),
            ("* * L-3 * *", .dayOfMonth, "L"), ("* * 15W * *", .dayOfMonth, "15W"),
            ("* * ? * *", .dayOfMonth, "?"),
            ("* * * * L", .dayOfWeek, "L"), ("* * * * 9#1", .dayOfWeek, "9"),
            ("-1 * * * *", .minute, "-1"),
            ("1- * * * *", .minute, "1-"), ("+1 * * * *", .minute, "+1"),
            ("*5 * * * *", .minute, "*5"),
            ("1-70 * * * *", .minute, "70"), ("9999999999 * * * *", .minute, "9999999999"),
        ] as [(String, CronField, String)]
    )
    func `points at an invalid value of a field`(
        text: String,
        field: CronField,
        marked: String
    ) throws {
        let found = try #require(problem(text))
        #expect(found.0 == .value(field, marked))
        #expect(found.1 == marked)
    }

    @Test(
        arguments: [
            ("* * * *", .fieldCount(4), ""), ("", .fieldCount(0), ""),
            ("0 * * * * *", .fieldCount(6), "*"),
            ("@daily", .macro("@daily"), "@daily"), ("@reboot", .macro("@reboot"), "@reboot"),
            ("0 22-6 * * *", .descendingRange(.hour, from: 22, to: 6), "22-6"),
            ("0 0 * * FRI-SUN", .descendingRange(.dayOfWeek, from: 5, to: 0), "FRI-SUN"),
            ("*/0 * * * *", .step("0"), "0"), ("*/x * * * *", .step("x"), "x"),
            ("*/ * * * *", .step(""), "*/"),
            ("5/15 * * * *", .stepOfSingleValue(.minute, 5), "5/15"),
            ("*/60 * * * *", .stepTooLong(60, of: 0...59), "60"),
            ("0-9/10 * * * *", .stepTooLong(10, of: 0...9), "10"),
            ("0 0 * * 5#6", .ordinal("6"), "6"), ("0 0 * * 5#0", .ordinal("0"), "0"),
            ("0 0 * * 5#", .ordinal(""), "5#"),
            ("0 0 31 2 *", .neverMatches, "31 2"),
            ("0 0 31 4,6,9,11 *", .neverMatches, "31 4,6,9,11"),
            ("0 0 30 2 */2", .neverMatches, "30 2 */2"),
            ("0 0 */30 * 5#2", .neverMatches, "*/30 * 5#2"),
        ] as [(String, CronError.Problem, String)]
    )
    func `points at the error`(
        text: String,
        expected: CronError.Problem,
        marked: String
    ) throws {
        let found = try #require(problem(text))
        #expect(found.0 == expected)
        #expect(found.1 == marked)
    }

    @Test(arguments: [
        ("@daily", "write `0 0 * * *`"), ("@Hourly", "write `0 * * * *`"),
        ("0 22-6 * * *", "write two ranges: `22-23,0-6`"),
        ("0 0 * * FRI-SUN", "at the end of a range, Sunday is 7: write `5-7`"),
        ("5/15 * * * *", "write `5-59/…`"),
    ])
    func `suggests a correction`(text: String, help: String) {
        #expect(throws: CronError.self) { try CronSchedule(parsing: text) }
        do { _ = try CronSchedule(parsing: text) } catch { #expect(error.help == help) }
    }

    @Test(arguments: [
        "*/59 * * * *", "0 0 29 2 *", "0 0 * 2 5#5", "0 0 31 2 1", "0-0/1 * * * *", "* * * * *",
    ])
    func `accepts expressions that match at least one date`(text: String) {
        #expect(throws: Never.self) { try CronSchedule(parsing: text) }
    }
}
