import CampaignModel
import Sending
import State
import Testing
import Time

@Suite struct RolloutMachineTests {
    private let start = Instant(secondsSince1970: 1_800_000_000)
    private let person = RolloutDecision(
        user: "ana",
        host: "horta",
        at: Instant(secondsSince1970: 1_800_000_100)
    )

    private func record(
        pause: Int64 = 60,
        rejected: Threshold? = nil,
        unknown: Threshold? = nil,
        held: Bool = false
    ) throws -> RolloutRecord {
        let stages = ["1%", "10%"].compactMap { Threshold($0) }
        let stopWhen = Rollout.StopConditions(rejected: rejected, unknown: unknown, held: held)
        let rollout = Rollout(
            canary: AudienceID("staff"),
            stages: stages,
            pause: pause,
            stopWhen: stopWhen
        )
        return RolloutRecord(rollout, since: start)
    }

    private func answers(
        of record: RolloutRecord,
        accepted: Int = 0,
        rejected: Int = 0
    ) -> RolloutGuard {
        RolloutGuard(
            record.rollout.stopWhen,
            counts: RolloutCounts(accepted: accepted, rejected: rejected, unknown: 0)
        )
    }

    private func complete(
        _ answers: RolloutGuard,
        isWaiting: Bool = false
    ) -> RolloutMachine.Event {
        .complete(isWaiting: isWaiting, counts: answers, total: answers.counts)
    }

    @Test func `sends the canary, each stage and the rest, with pauses between`() throws {
        var machine = RolloutMachine(try record())
        var now = start
        #expect(machine.receive(.time, at: now) == [.send(stage: 0)])
        for stage in 1...3 {
            let counts = answers(of: machine.record, accepted: 5)
            let begins = now.advanced(bySeconds: 60)
            let change = RolloutChange.begin(stage: stage, at: begins, counts: counts.counts)
            #expect(
                machine.receive(complete(counts), at: now)
                    == [.record(change), .wait(until: begins)]
            )
            now = begins
            #expect(machine.receive(.time, at: now) == [.send(stage: stage)])
        }
        let counts = answers(of: machine.record, accepted: 5)
        #expect(machine.receive(complete(counts), at: now) == [.finish])
    }

    @Test func `does not pause after a stage without requests`() throws {
        var machine = RolloutMachine(try record())
        let counts = answers(of: machine.record)
        #expect(machine.receive(complete(counts), at: start).last == .send(stage: 1))
    }

    @Test func `a stage ends without recipients who wait for the end of quiet hours`() throws {
        var machine = RolloutMachine(try record())
        let counts = answers(of: machine.record, accepted: 1)
        let begins = start.advanced(bySeconds: 60)
        let commands = machine.receive(complete(counts, isWaiting: true), at: start)
        #expect(commands.last == .wait(until: begins))
        #expect(machine.record.stage == 1)
    }

    @Test func `a stage of which nothing was sent waits for the end of quiet hours`() throws {
        var machine = RolloutMachine(try record())
        let counts = answers(of: machine.record)
        #expect(machine.receive(complete(counts, isWaiting: true), at: start) == [.deferRest])
        #expect(machine.record.stage == 0)
    }

    @Test func `the last stage waits, and ends when no recipient waits`() throws {
        var machine = RolloutMachine(try record(pause: 0, rejected: Threshold("5%")))
        for _ in 1...3 { _ = machine.receive(complete(answers(of: machine.record)), at: start) }
        let counts = answers(of: machine.record, accepted: 1)
        #expect(machine.receive(complete(counts, isWaiting: true), at: start) == [.deferRest])
        #expect(machine.receive(complete(counts), at: start) == [.finish])
    }

    @Test(arguments: [true, false])
    func `stops at the end of a small stage with too many rejections`(isWaiting: Bool) throws {
        var machine = RolloutMachine(try record(rejected: Threshold("5%")))
        let counts = answers(of: machine.record, accepted: 2, rejected: 1)
        #expect(machine.receive(complete(counts, isWaiting: isWaiting), at: start).last == .stop)
        #expect(machine.record.stop?.reason == .rejected)
        #expect(machine.receive(.time, at: start.advanced(bySeconds: 9_999)) == [.stop])
    }

    @Test func `a person continues the same stage after a stop`() throws {
        var machine = RolloutMachine(try record(rejected: Threshold("5%")))
        let counts = answers(of: machine.record, accepted: 2, rejected: 1)
        _ = machine.receive(complete(counts), at: start)
        let commands = machine.receive(.goOn(person), at: person.at)
        #expect(commands == [.record(.goOn(person)), .send(stage: 0)])
        #expect(machine.record.stop == nil)
        #expect(machine.record.base == nil)
        #expect(machine.record.continuation == person)
    }

    @Test func `a person ends a pause early`() throws {
        var machine = RolloutMachine(try record(pause: 3_600))
        _ = machine.receive(complete(answers(of: machine.record, accepted: 2)), at: start)
        let commands = machine.receive(.goOn(person), at: person.at)
        #expect(commands == [.record(.goOn(person)), .send(stage: 1)])
    }

    @Test func `an ended rollout cannot be continued`() throws {
        var machine = RolloutMachine(try record())
        #expect(machine.receive(.abort(person), at: start).last == .cancel)
        #expect(machine.receive(.goOn(person), at: person.at) == [.cancel])
    }

    @Test(arguments: [true, false]) func `a held send stops the rollout only if wanted`(
        isWanted: Bool
    ) throws {
        var machine = RolloutMachine(try record(held: isWanted))
        let event = RolloutMachine.Event.held(
            reason: "503 UNAVAILABLE",
            counts: answers(of: machine.record)
        )
        #expect(machine.receive(event, at: start).last == .stop)
        #expect((machine.record.stop?.reason == .held) == isWanted)
    }

    @Test func `the record survives being stored`() throws {
        var machine = RolloutMachine(try record(rejected: Threshold("5%"), held: true))
        _ = machine.receive(complete(answers(of: machine.record, rejected: 1)), at: start)
        _ = machine.receive(.abort(person), at: person.at)
        #expect(RolloutRecord(stored: machine.record.stored) == machine.record)
    }
}

@Suite struct RolloutGuardTests {
    private func conditions(rejected: String? = nil, unknown: String? = nil) -> RolloutGuard {
        RolloutGuard(
            Rollout.StopConditions(
                rejected: rejected.flatMap { Threshold($0) },
                unknown: unknown.flatMap { Threshold($0) }
            )
        )
    }

    @Test func `dead registrations count neither above nor below the line`() {
        var answers = conditions(rejected: "5%")
        for _ in 0..<100 { answers.rejected(.unregistered) }
        #expect(answers.counts == .none)
        #expect(answers.stop(isOver: true) == nil)
    }

    @Test func `a share is judged from 20 answers on`() {
        var answers = conditions(rejected: "5%")
        for _ in 0..<17 { answers.accepted() }
        answers.rejected(.senderIDMismatch)
        answers.rejected(.senderIDMismatch)
        #expect(answers.stop() == nil)
        answers.accepted()
        #expect(answers.stop()?.code == "SENDER_ID_MISMATCH")
    }

    @Test func `a number may be reached but not exceeded`() {
        var answers = conditions(unknown: "2")
        answers.unknown("no answer")
        answers.unknown("503 UNAVAILABLE")
        #expect(answers.stop() == nil)
        answers.unknown("503 UNAVAILABLE")
        #expect(answers.stop()?.reason == .unknown)
        #expect(answers.stop()?.code == "503 UNAVAILABLE")
    }
}
