import FuzzChecks
import Scheduling
import Time

/// Reads any text as a cron expression and as a recurrence rule, in several time zones.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
    let input = ScheduleInput(
        Clocks(zone: bytes[0], moment: bytes[1]),
        String(decoding: bytes[2...], as: UTF8.self)
    )
    input.checkCron()
    input.checkRecurrence()
    return 0
}

/// A zone and an instant, often just before a clock change.
struct Clocks {
    let zone: TimeZoneRules
    let moment: Instant
    var local: CivilDateTime { zone.localTime(at: moment) }

    init(zone number: UInt8, moment: UInt8) {
        zone = Self.zones[Int(number) % Self.zones.count]
        let year2036 = Instant(secondsSince1970: 2_082_758_400)
        let changes = zone.clockChanges(in: year2036..<year2036.advanced(bySeconds: 3 * 31_536_000))
        let number = Int(moment)
        self.moment =
            number.isMultiple(of: 2) || changes.isEmpty
            ? year2036.advanced(bySeconds: Int64(number) * 86_399)
            : changes[number / 2 % changes.count].advanced(bySeconds: -5_400)
    }

    /// Zones with and without daylight saving.
    ///
    /// Their clocks change by an hour or half an hour, in either hemisphere or for Ramadan, and one
    /// zone skips 30 December 2011.
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca",
        "Pacific/Apia", "Asia/Kathmandu", "America/Nuuk",
    ].map { name in
        guard let rules = try? TimeZoneDatabase.system(environment: [:]).rules(named: name) else {
            fatalError("there is no time zone \(name)")
        }
        return rules
    }
}

struct ScheduleInput {
    private let clocks: Clocks
    private let text: String

    init(_ clocks: Clocks, _ text: String) {
        self.clocks = clocks
        self.text = text
    }

    func checkCron() {
        do throws(CronError) {
            let schedule = try CronSchedule(parsing: text)
            hold(schedule.wording.count >= 5, "a field has no words")
            checkMoments(.cron(schedule))
        } catch {
            check(error.message, error.range)
        }
    }

    func checkRecurrence() {
        do throws(RecurrenceError) {
            let rule = try RecurrenceRule(parsing: text, start: clocks.local)
            hold(!rule.wording.isEmpty, "no words")
            checkMoments(.recurrence(rule))
            try checkException(rule)
        } catch {
            check(error.message, error.range)
        }
    }

    private func check(_ message: String, _ range: Range<Int>) {
        hold(!message.isEmpty, "no message")
        hold(range.lowerBound >= 0 && range.upperBound <= text.utf8.count, "outside: \(message)")
    }

    /// Checks that due times ascend, and that a query from one of them returns the following ones.
    private func checkMoments(_ pattern: SlotPattern) {
        let occurrences = Occurrences(pattern, in: clocks.zone)
        let start = clocks.moment.advanced(bySeconds: -1)
        let moments = occurrences.next(after: start, count: 50).map(\.moment)
        hold(moments.first.map { $0 > start } ?? true, "begins too early")
        hold(zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 }, "does not ascend")
        for index in [0, moments.count / 2] where index + 1 < moments.count {
            let rest = occurrences.next(after: moments[index], count: 3).map(\.moment)
            let expected = moments.dropFirst(index + 1).prefix(rest.count)
            hold(rest.starts(with: expected), "other moments from \(index) on")
        }
    }

    /// Checks that an exception removes only itself.
    private func checkException(_ rule: RecurrenceRule) throws(RecurrenceError) {
        let slots = Array(rule.slots().prefix(20))
        guard slots.count > 2 else { return }
        let less = try RecurrenceRule(parsing: text, start: clocks.local, exceptions: [slots[1]])
        let expected = [slots[0]] + slots[2...]
        hold(
            Array(less.slots().prefix(slots.count - 1)) == expected,
            "an exception leaves out more"
        )
    }
}
