import CampaignModel
import Planning
import Service
import State
import Testing
import Time

struct ServiceMachineTests {
    /// 2027-01-15T08:00:00Z.
    private static let eight = Instant(secondsSince1970: 1_800_000_000)

    private static func at(_ seconds: Int64) -> ServiceMachine.Reading {
        ServiceMachine.Reading(
            wall: eight.advanced(bySeconds: seconds),
            steady: .seconds(1_000 + seconds)
        )
    }

    private static func id(_ name: String) throws -> OccurrenceID {
        OccurrenceID(campaign: try #require(CampaignID(name)), slot: .once, revision: 1)
    }

    private static func send(
        _ name: String,
        due: Int64 = 0,
        priority: Int = 0,
        kind: DueSend.Kind = .list,
        requests: Int = 1,
        late: LatePolicy.Late = .fail,
        lateAfter: Int64 = 600,
        until: Int64? = nil,
        expires: Int64? = nil,
        deferral: QuietDeferral? = nil,
        isCapped: Bool = false,
        settled: Duration? = nil
    ) throws -> DueSend {
        let policy = LatePolicy(
            late: nil,
            lateAfter: lateAfter,
            until: until.map(eight.advanced(bySeconds:)),
            reasonInQuietHours: nil
        )
        return DueSend(
            try id(name),
            due: eight.advanced(bySeconds: due),
            priority: priority,
            kind: kind,
            requests: requests,
            timeliness: DueSend.Timeliness(policy, otherwise: late),
            expires: expires.map(eight.advanced(bySeconds:)),
            deferral: deferral,
            isCapped: isCapped,
            settled: settled
        )
    }

    /// Quiet from 22:00 to 07:00 UTC, 14 h after `eight` and 23 h after it.
    private static func night(offset: Int64 = 89) throws -> QuietDeferral {
        let hours = QuietHours(
            from: try #require(CivilTime(hour: 22, minute: 0)),
            to: try #require(CivilTime(hour: 7, minute: 0))
        )
        return QuietDeferral(
            QuietPeriod(hours, in: .utc),
            offset: offset,
            lateAfter: 600
        )
    }

    private static func machine(
        occurrences: Int = 100,
        requests: Int = 0,
        fanOuts: Int = 1,
        lastRun: Instant? = nil
    ) -> ServiceMachine {
        let limits = limits(occurrences: occurrences, requests: requests, fanOuts: fanOuts)
        return ServiceMachine(limits, lastRun: lastRun)
    }

    private static func limits(
        occurrences: Int = 100,
        requests: Int = 0,
        fanOuts: Int
    ) -> ServiceMachine.Limits {
        let pace = Pace(
            sendsPerMinute: 600_000,
            subscriptionsPerSecond: 3_000,
            fanOuts: fanOuts,
            fanOutRate: 10_000
        )
        return ServiceMachine.Limits(occurrences: occurrences, requests: requests, pace: pace)
    }

    @Test func `starts by due time, then by priority, then by name`() throws {
        var machine = Self.machine()
        let sends = [
            try Self.send("b"), try Self.send("a"), try Self.send("low", priority: -1),
            try Self.send("high", priority: 5), try Self.send("earlier", due: -60, priority: -9),
        ]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0)) == [
                .start(try Self.id("earlier")), .start(try Self.id("high")),
                .start(try Self.id("a")), .start(try Self.id("b")), .start(try Self.id("low")),
            ]
        )
    }

    @Test func `nothing starts in a window that should end`() throws {
        var machine = Self.machine(occurrences: 1)
        let sends = [try Self.send("a"), try Self.send("b")]
        _ = machine.receive(.scheduled(sends), at: Self.at(0))
        #expect(machine.runningCount == 1)
        #expect(machine.receive(.endAwaited, at: Self.at(1)) == [])
        #expect(machine.receive(.ended(try Self.id("a")), at: Self.at(2)) == [])
        #expect(machine.runningCount == 0)
        machine.endWindow()
        #expect(
            machine.receive(.scheduled([sends[1]]), at: Self.at(3))
                == [.start(try Self.id("b"))]
        )
    }

    @Test func `wakes at the next due time`() throws {
        var machine = Self.machine()
        let sends = [try Self.send("later", due: 300), try Self.send("next", due: 40)]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0)) == [.wake(after: .seconds(40))]
        )
        #expect(
            machine.receive(.time, at: Self.at(40))
                == [.start(try Self.id("next")), .wake(after: .seconds(260))]
        )
    }

    @Test func `starts one capped send at a time, and the others beside it`() throws {
        var machine = Self.machine(occurrences: 3)
        let sends = [
            try Self.send("a", isCapped: true), try Self.send("b", isCapped: true),
            try Self.send("c", isCapped: true), try Self.send("d"), try Self.send("e"),
            try Self.send("f"),
        ]
        // Those that wait for their turn take no place.
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0)) == [
                .start(try Self.id("a")), .start(try Self.id("d")), .start(try Self.id("e")),
                .wake(after: .seconds(601)),
            ]
        )
        #expect(
            machine.receive(.ended(try Self.id("d")), at: Self.at(1))
                == [.start(try Self.id("f")), .wake(after: .seconds(600))]
        )
        #expect(
            machine.receive(.ended(try Self.id("f")), at: Self.at(2)) == [
                .wake(after: .seconds(599))
            ]
        )
        #expect(
            machine.receive(.ended(try Self.id("a")), at: Self.at(3))
                == [.start(try Self.id("b")), .wake(after: .seconds(598))]
        )
        #expect(
            machine.receive(.ended(try Self.id("b")), at: Self.at(4)) == [.start(try Self.id("c"))]
        )
    }

    @Test func `a capped send that waits for its turn can be late, or be paused`() throws {
        var machine = Self.machine()
        let sends = [
            try Self.send("a", isCapped: true), try Self.send("b", isCapped: true),
            try Self.send("c", lateAfter: 5, isCapped: true),
        ]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0))
                == [.start(try Self.id("a")), .wake(after: .seconds(6))]
        )
        #expect(
            machine.receive(.time, at: Self.at(6))
                == [.expire(try Self.id("c")), .wake(after: .seconds(595))]
        )
        let b = PauseScope.campaign(try #require(CampaignID("b")))
        #expect(
            machine.receive(.paused([b]), at: Self.at(7)) == [.wake(after: .seconds(594))]
        )
        #expect(
            machine.receive(.ended(try Self.id("a")), at: Self.at(8))
                == [.wake(after: .seconds(593))]
        )
        #expect(machine.receive(.paused([]), at: Self.at(9)) == [.start(try Self.id("b"))])
    }

    @Test func `starts no more than the limit at once`() throws {
        var machine = Self.machine(occurrences: 1)
        let sends = [try Self.send("a"), try Self.send("b")]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0))
                == [.start(try Self.id("a")), .wake(after: .seconds(601))]
        )
        #expect(machine.hasReadySends(at: Self.at(0)))
        #expect(
            machine.receive(.ended(try Self.id("a")), at: Self.at(5)) == [.start(try Self.id("b"))]
        )
    }

    @Test func `a send whose joins have not settled holds no permit`() throws {
        var machine = Self.machine()
        let sends = [
            try Self.send(
                "joined",
                due: -3,
                kind: .fanOut(reach: 10),
                settled: .seconds(1_030)
            ), try Self.send("topic", due: -2, kind: .fanOut(reach: 10)),
        ]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0))
                == [.start(try Self.id("topic")), .wake(after: .seconds(30))]
        )
        #expect(
            machine.receive(.ended(try Self.id("topic")), at: Self.at(1))
                == [.wake(after: .seconds(29))]
        )
        #expect(machine.hasReadySends(at: Self.at(1)))
        #expect(machine.receive(.time, at: Self.at(30)) == [.start(try Self.id("joined"))])
    }

    @Test func `holds a fan-out until the permit is free, and nothing else`() throws {
        var machine = Self.machine()
        let sends = [
            try Self.send("one", due: -3, kind: .fanOut(reach: 600_000)),
            try Self.send("two", due: -2, kind: .fanOut(reach: 10)),
            try Self.send("list", due: -1),
        ]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0)) == [
                .start(try Self.id("one")), .start(try Self.id("list")),
                .wake(after: .seconds(599)),
            ]
        )
        machine.accepted(reach: 600_000, at: Self.at(1))
        // 600,000 devices at 10,000 a second.
        #expect(
            machine.receive(.ended(try Self.id("one")), at: Self.at(1))
                == [.wake(after: .seconds(60))]
        )
        #expect(machine.receive(.time, at: Self.at(61)) == [.start(try Self.id("two"))])
    }

    @Test func `uses other limits between windows, and keeps the permits`() throws {
        var machine = Self.machine(fanOuts: 2)
        machine.accepted(reach: 600_000, at: Self.at(0))
        machine.use(Self.limits(fanOuts: 1))
        let send = try Self.send("two", kind: .fanOut(reach: 10))
        #expect(
            machine.receive(.scheduled([send]), at: Self.at(1)) == [.wake(after: .seconds(59))]
        )
        machine.use(Self.limits(fanOuts: 2))
        #expect(machine.receive(.time, at: Self.at(2)) == [.start(try Self.id("two"))])
    }

    @Test func `starts a fan-out that would not fit between two nights`() throws {
        var machine = Self.machine()
        // 15 h are left between two nights, less the 89 s; 540,000,000 devices need a second more.
        let send = try Self.send(
            "one",
            kind: .fanOut(reach: 540_000_000),
            deferral: Self.night()
        )
        let commands = machine.receive(.scheduled([send]), at: Self.at(0))
        #expect(commands.first == .start(try Self.id("one")))
    }

    @Test func `starts what is not paused`() throws {
        var machine = Self.machine()
        _ = machine.receive(.paused([.campaign(try Self.id("a").campaign)]), at: Self.at(0))
        let sends = [try Self.send("a"), try Self.send("b")]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0))
                == [.start(try Self.id("b")), .wake(after: .seconds(601))]
        )
        #expect(!machine.hasReadySends(at: Self.at(0)))
        #expect(machine.receive(.paused([]), at: Self.at(9)) == [.start(try Self.id("a"))])
    }

    @Test(arguments: [
        (LatePolicy.Late.fail, "expire"), (.skip, "skip"), (.send, "start"),
    ]) func `treats a send that waited too long as late`(
        _ late: LatePolicy.Late,
        _ expected: String
    ) throws {
        var machine = Self.machine()
        _ = machine.receive(.paused([.everything]), at: Self.at(0))
        let id = try Self.id("a")
        _ = machine.receive(.scheduled([try Self.send("a", late: late)]), at: Self.at(0))
        let commands = machine.receive(.paused([]), at: Self.at(601))
        let all: [String: [ServiceMachine.Command]] = [
            "expire": [.expire(id)], "skip": [.skip(id)], "start": [.start(id)],
        ]
        #expect(commands == all[expected])
    }

    @Test func `sends within the limit of lateness`() throws {
        var machine = Self.machine()
        #expect(
            machine.receive(.scheduled([try Self.send("a")]), at: Self.at(600))
                == [.start(try Self.id("a"))]
        )
    }

    @Test func `defers to the end of quiet hours and its spread`() throws {
        var machine = Self.machine()
        let send = try Self.send("a", due: 15 * 3_600, deferral: try Self.night())
        // 23:00 is quiet; 07:01:29 is 8 h, 1 min and 29 s later.
        #expect(
            machine.receive(.scheduled([send]), at: Self.at(15 * 3_600))
                == [.wake(after: .seconds(8 * 3_600 + 89))]
        )
        #expect(
            machine.receive(.time, at: Self.at(23 * 3_600 + 89)) == [.start(try Self.id("a"))]
        )
    }

    @Test func `defers a send that waits for a place when quiet hours begin`() throws {
        var machine = Self.machine(occurrences: 1)
        let sends = [
            try Self.send("first", due: 14 * 3_600 - 100),
            try Self.send("held", due: 14 * 3_600 - 60, deferral: try Self.night()),
        ]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(14 * 3_600 - 60))
                == [.start(try Self.id("first")), .wake(after: .seconds(60))]
        )
        // The night ends at 07:00, and the share of its spread is 89 s.
        #expect(
            machine.receive(.time, at: Self.at(14 * 3_600)) == [
                .wake(after: .seconds(9 * 3_600 + 89))
            ]
        )
        #expect(!machine.hasReadySends(at: Self.at(14 * 3_600)))
        #expect(
            machine.receive(.ended(try Self.id("first")), at: Self.at(14 * 3_600 + 1))
                == [.wake(after: .seconds(9 * 3_600 + 88))]
        )
        #expect(
            machine.receive(.time, at: Self.at(23 * 3_600 + 89)) == [.start(try Self.id("held"))]
        )
    }

    @Test func `holds a fan-out that would last into quiet hours`() throws {
        var machine = Self.machine()
        // 36,000,000 devices take one hour.
        let send = try Self.send(
            "a",
            due: 13 * 3_600 + 60,
            kind: .fanOut(reach: 36_000_000),
            deferral: try Self.night()
        )
        let due = Self.at(13 * 3_600 + 60)
        #expect(
            machine.receive(.scheduled([send]), at: due)
                == [.wake(after: .seconds(10 * 3_600 - 60 + 89))]
        )
        // Lateness counts from the end of the hold.
        #expect(
            machine.receive(.time, at: Self.at(23 * 3_600 + 89 + 600)) == [.start(try Self.id("a"))]
        )
    }

    @Test func `expires a send whose message or schedule ends in quiet hours`() throws {
        var machine = Self.machine()
        let sends = [
            try Self.send("message", due: 54_000, expires: 80_000, deferral: try Self.night()),
            try Self.send("schedule", due: 54_000, until: 80_000, deferral: try Self.night()),
        ]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(54_000))
                == [.expire(try Self.id("message")), .expire(try Self.id("schedule"))]
        )
    }

    @Test func `sends nothing while the clock is behind the last run`() throws {
        let last = Self.eight.advanced(bySeconds: 100)
        var machine = Self.machine(lastRun: last)
        let sends = [try Self.send("a", due: 10)]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(20))
                == [.report(.clockBehind(lastRun: last)), .wake(after: .seconds(80))]
        )
        #expect(machine.behind == last)
        #expect(
            machine.receive(.time, at: Self.at(100))
                == [.report(.clockCaughtUp), .start(try Self.id("a"))]
        )
        #expect(machine.behind == nil)
    }

    @Test(arguments: [Int64(7_200), -7_200]) func `reports a jump of the clock`(
        _ jump: Int64
    ) throws {
        var machine = Self.machine()
        _ = machine.receive(.scheduled([try Self.send("a", due: 20_000)]), at: Self.at(0))
        let reading = ServiceMachine.Reading(
            wall: Self.eight.advanced(bySeconds: 10 + jump),
            steady: .seconds(1_010)
        )
        #expect(
            machine.receive(.time, at: reading) == [
                .report(.clockJumped(seconds: jump)), .wake(after: .seconds(19_990 - jump)),
            ]
        )
    }

    @Test func `starts a send again after a window that failed`() throws {
        var machine = Self.machine(occurrences: 1)
        let sends = [try Self.send("a")]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0)) == [.start(try Self.id("a"))]
        )
        #expect(machine.receive(.scheduled(sends), at: Self.at(1)) == [])
        machine.endWindow()
        #expect(machine.runningCount == 0)
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(30)) == [.start(try Self.id("a"))]
        )
    }

    @Test func `drains once and starts nothing after a stop`() throws {
        var machine = Self.machine(occurrences: 1)
        let sends = [try Self.send("a"), try Self.send("b")]
        _ = machine.receive(.scheduled(sends), at: Self.at(0))
        #expect(machine.receive(.stop, at: Self.at(1)) == [.drain])
        #expect(machine.receive(.stop, at: Self.at(2)) == [])
        #expect(machine.receive(.ended(try Self.id("a")), at: Self.at(3)) == [])
        #expect(machine.runningCount == 0)
    }

    @Test func `starts more than the limit while all of them are small`() throws {
        var machine = Self.machine(occurrences: 1, requests: 10)
        let sends = [
            try Self.send("a", requests: 4), try Self.send("b", requests: 4),
            try Self.send("c", requests: 4),
        ]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0)) == [
                .start(try Self.id("a")), .start(try Self.id("b")), .wake(after: .seconds(601)),
            ]
        )
        #expect(
            machine.receive(.ended(try Self.id("b")), at: Self.at(1)) == [.start(try Self.id("c"))]
        )
    }

    @Test func `a long send runs alone beyond the number of requests`() throws {
        var machine = Self.machine(occurrences: 1, requests: 10)
        let sends = [try Self.send("long", due: -1, requests: 1_000), try Self.send("short")]
        #expect(
            machine.receive(.scheduled(sends), at: Self.at(0))
                == [.start(try Self.id("long")), .wake(after: .seconds(601))]
        )
        #expect(
            machine.receive(.ended(try Self.id("long")), at: Self.at(1))
                == [.start(try Self.id("short"))]
        )
    }

    @Test func `waits again if the clock is set back before the due time`() throws {
        var machine = Self.machine(occurrences: 1)
        let sends = [try Self.send("a", due: -5), try Self.send("b")]
        _ = machine.receive(.scheduled(sends), at: Self.at(0))
        let back = ServiceMachine.Reading(
            wall: Self.eight.advanced(bySeconds: -100),
            steady: .seconds(1_001)
        )
        #expect(
            machine.receive(.ended(try Self.id("a")), at: back)
                == [.report(.clockJumped(seconds: -101)), .wake(after: .seconds(100))]
        )
        let due = ServiceMachine.Reading(wall: Self.eight, steady: .seconds(1_101))
        #expect(machine.receive(.time, at: due) == [.start(try Self.id("b"))])
    }

    @Test func `reports a send once that becomes late when its joins have settled`() throws {
        var machine = Self.machine()
        let send = try Self.send("a", kind: .fanOut(reach: 1), settled: .seconds(1_601))
        #expect(
            machine.receive(.scheduled([send]), at: Self.at(0)) == [.wake(after: .seconds(601))]
        )
        #expect(machine.receive(.time, at: Self.at(601)) == [.expire(try Self.id("a"))])
        #expect(machine.receive(.time, at: Self.at(602)) == [])
    }

    /// A machine that decides about all waiting sends at each event needs half a minute for this.
    @Test(.timeLimit(.minutes(1)))
    func `each event costs no more if many sends wait`() throws {
        var machine = Self.machine(occurrences: 64)
        let count = 20_000
        let sends = try (0..<count).map { number in
            try Self.send("s\(100_000 + number * 7_919 % count)", late: .send)
        }
        var started: [OccurrenceID] = []
        var ended = 0
        func take(_ commands: [ServiceMachine.Command]) {
            for case .start(let id) in commands { started.append(id) }
        }
        take(machine.receive(.scheduled(sends), at: Self.at(0)))
        while ended < started.count {
            ended += 1
            #expect(machine.runningCount <= 64)
            take(machine.receive(.ended(started[ended - 1]), at: Self.at(Int64(ended / 100))))
        }
        #expect(started == sends.map(\.occurrence).sorted())
    }
}
