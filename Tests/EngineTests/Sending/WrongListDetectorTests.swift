import CampaignModel
import RateControl
import Sending
import State
import Testing

/// Tests when occurrences are held, and which registrations are marked as dead.
struct AnswerTrialTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let count: Int
        /// Requests up to this number are rejected.
        let bad: Int
        var rejection = Rejection.unregistered
        var acknowledged: String?
        var earlier = EarlierAnswers.none
        /// Number of answers until the hold; nil if the occurrence is not held.
        let held: Int?

        var testDescription: String {
            "\(bad) \(rejection.reason) of \(count), \(acknowledged ?? "nothing") acknowledged"
        }
    }

    @Test(arguments: [
        Row(count: 5_000, bad: 200, held: nil),
        Row(count: 5_000, bad: 201, held: 201),
        Row(count: 1_000, bad: 201, rejection: .apnsUnregistered, held: 201),
        Row(count: 1_000, bad: 201, rejection: .senderIDMismatch, held: 201),
        Row(count: 1_000, bad: 1_000, rejection: .thirdPartyAuthError, held: nil),
        Row(count: 100, bad: 20, held: nil),
        Row(count: 100, bad: 21, held: 21),
        Row(count: 90, bad: 19, held: nil),
        Row(count: 90, bad: 20, held: 20),
        Row(count: 19, bad: 19, held: nil),
        Row(count: 20, bad: 20, held: 20),
        Row(count: 1_000, bad: 400, acknowledged: "40%", held: nil),
        Row(count: 1_000, bad: 401, acknowledged: "40%", held: 401),
        Row(count: 1_000, bad: 201, acknowledged: "10%", held: 201),
        Row(count: 1_000, bad: 1_000, acknowledged: "100%", held: nil),
        Row(count: 5_000, bad: 19, rejection: .invalidArgument, held: nil),
        Row(count: 5_000, bad: 20, rejection: .invalidArgument, held: 20),
        Row(count: 5_000, bad: 20, rejection: .invalidArgument, acknowledged: "100%", held: 20),
    ])
    func `holds an occurrence whose answers look wrong`(row: Row) throws {
        var play = DispatchPlay(count: row.count, open: 1)
        play.trial = WrongListDetector(
            count: row.count,
            acknowledged: row.acknowledged.flatMap(Percentage.init),
            earlier: row.earlier
        )
        let end = try play.run { request, _ in
            request < row.bad ? .rejected(row.rejection) : .accepted(name: "n")
        }
        guard let held = row.held else {
            #expect(end == .complete)
            #expect(play.holds == [])
            #expect(play.dead == (row.rejection.isDead ? Array(0..<row.bad) : []))
            return
        }
        let isPayload = row.rejection == .invalidArgument
        let hold = isPayload ? Hold.refusedPayload : .mostlyDead
        #expect(
            end
                == .held(
                    WrongListDetector.WrongListEvidence(
                        hold: hold,
                        dead: row.rejection.isDead ? held : 0,
                        mismatched: row.rejection == .senderIDMismatch ? held : 0,
                        answers: held
                    )
                )
        )
        #expect(play.holds == [hold])
        #expect(play.dead == [])
        #expect(play.sent.count == held)
        #expect(play.outcomes(.rejected).count == held)
        #expect(play.outcomes(.intended) == [])
    }

    @Test func `records a hold before the answers that caused it`() throws {
        var machine = DispatchMachine(
            requests: RequestRanges([0..<20]),
            mark: 0,
            rules: DispatchMachine.Rules(
                open: OpenLimit(fixed: 20),
                keepsNames: false,
                policy: .skipping
            ),
            pace: .ample,
            trial: WrongListDetector(count: 20)
        )
        _ = machine.commit(.begin, now: .zero)
        for request in 0..<19 {
            let event = DispatchMachine.Event.judged(request: request, .rejected(.unregistered))
            #expect(machine.commit(event, now: .zero) == [])
        }
        let last = machine.commit(.judged(request: 19, .rejected(.unregistered)), now: .zero)
        #expect(last.first == .hold(.mostlyDead))
        #expect(last.count == 3)
    }

    @Test func `other answers reset the count of rejected payloads`() throws {
        var play = DispatchPlay(count: 100, open: 1)
        play.trial = WrongListDetector(count: 100)
        let end = try play.run { request, _ in
            request % 20 == 19 ? .accepted(name: "n") : .rejected(.invalidArgument)
        }
        #expect(end == .complete)
    }

    @Test func `marks all dead registrations once the trial has passed`() throws {
        var play = DispatchPlay(count: 12_000, open: 1)
        play.trial = WrongListDetector(count: 12_000)
        let end = try play.run { request, _ in
            request.isMultiple(of: 10) ? .rejected(.unregistered) : .accepted(name: "n")
        }
        #expect(end == .complete)
        #expect(play.dead == Array(stride(from: 0, to: 12_000, by: 10)))
    }

    @Test
    func `marks no registration as dead if the send ends before the trial has passed`() throws {
        var play = DispatchPlay(count: 5_000, open: 1)
        play.trial = WrongListDetector(count: 5_000)
        let end = try play.run { request, _ in
            request == 500 ? .refusedUs(reason: "403") : .rejected(.thirdPartyAuthError)
        }
        #expect(end == .refused(reason: "403"))
        #expect(play.dead == [])
    }
}

// MARK: - Resuming an occurrence

extension AnswerTrialTests {
    private func earlier(_ answers: Int, dead: Int, isHeld: Bool) -> EarlierAnswers {
        EarlierAnswers(answers: answers, dead: Array(0..<dead), mismatched: 0, isHeld: isHeld)
    }

    @Test func `counts the answers of earlier runs`() {
        let trial = WrongListDetector(count: 2_000, earlier: earlier(500, dead: 200, isHeld: false))
        #expect(trial.suspicion == nil)
        var play = DispatchPlay(count: 2_000, open: 1)
        play.trial = trial
        let end = try? play.run { _, _ in .rejected(.unregistered) }
        #expect(play.sent.count == 1)
        #expect(
            end
                == .held(
                    WrongListDetector.WrongListEvidence(
                        hold: .mostlyDead,
                        dead: 201,
                        mismatched: 0,
                        answers: 501
                    )
                )
        )
    }

    @Test func `a held occurrence stays held until the acknowledged share is large enough`() {
        let answers = earlier(300, dead: 201, isHeld: true)
        #expect(WrongListDetector(count: 2_000, earlier: answers).suspicion?.hold == .mostlyDead)
        let less = Percentage("20.05%")
        let enough = Percentage("20.1%")
        #expect(
            WrongListDetector(count: 2_000, acknowledged: less, earlier: answers).suspicion != nil
        )
        #expect(
            WrongListDetector(count: 2_000, acknowledged: enough, earlier: answers).suspicion == nil
        )
    }

    @Test func `does not hold a released occurrence again for the same reason`() throws {
        var play = DispatchPlay(count: 2_000, open: 1)
        play.trial = WrongListDetector(
            count: 2_000,
            earlier: earlier(300, dead: 201, isHeld: false)
        )
        let end = try play.run { _, _ in .accepted(name: "n") }
        #expect(end == .complete)
        #expect(play.dead == Array(0..<201))
    }

    @Test func `marks dead registrations of an earlier run when the trial has passed`() throws {
        var play = DispatchPlay(count: 0)
        play.trial = WrongListDetector(count: 50, earlier: earlier(50, dead: 3, isHeld: false))
        #expect(try play.run { _, _ in .accepted(name: "n") } == .complete)
        #expect(play.dead == [0, 1, 2])
    }
}
