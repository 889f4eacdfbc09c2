import CampaignModel
import Planning
import RateControl
import Sending
import State
import TestSupport
import Testing

struct DispatchMachineTests {
    private func machine(
        _ requests: Range<Int>...,
        mark: Int = 0,
        open: Int = 2,
        names: Bool = false,
        expiry: Duration? = nil,
        stopsAtUnknown: Bool = false
    ) -> DispatchMachine {
        DispatchMachine(
            requests: RequestRanges(requests),
            mark: mark,
            rules: DispatchMachine.Rules(
                open: OpenLimit(fixed: open),
                keepsNames: names,
                policy: SendPolicy(repeats: .never, stopsAtUnknown: stopsAtUnknown),
                expiry: expiry
            ),
            pace: .ample
        )
    }

    private func outcome(
        _ index: Int,
        _ outcome: Outcome,
        _ detail: String? = nil
    ) -> RequestOutcome {
        RequestOutcome(index: index, outcome: outcome, detail: detail)
    }

    private let accepted = DispatchMachine.Event.accepted

    @Test
    func `releases twice as many requests as may be open, and sends as many as may be open`() {
        var machine = machine(0..<5)
        #expect(machine.commit(.begin, now: .zero) == [.record([], released: 4), .send([0, 1])])
    }

    @Test func `sends nothing for the first time after the end of a day`() {
        var machine = machine(0..<6)
        _ = machine.commit(.begin, now: .zero)
        #expect(
            machine.commit(.dayEnded, now: .zero) == [
                .record([outcome(2, .returned), outcome(3, .returned)], released: nil)
            ]
        )
        #expect(machine.commit(accepted(0), now: .zero) == [])
        #expect(
            machine.commit(accepted(1), now: .zero) == [
                .record([outcome(0, .accepted), outcome(1, .accepted)], released: nil),
                .finish(.dayEnded),
            ]
        )
    }

    @Test func `sends nothing more when a night begins, not even repeats`() {
        var machine = DispatchMachine(
            requests: RequestRanges([0..<6]),
            mark: 0,
            rules: DispatchMachine.Rules(
                open: OpenLimit(fixed: 2),
                keepsNames: false,
                policy: SendPolicy(repeats: .answered, stopsAtUnknown: false)
            ),
            pace: .ample
        )
        _ = machine.commit(.begin, now: .zero)
        let failed = Judgement.failed(reason: "503 UNAVAILABLE", delay: nil)
        _ = machine.commit(.judged(request: 0, failed), now: .zero)
        _ = machine.commit(.nightBegan, now: .zero)
        #expect(machine.commit(accepted(1), now: .zero) == [])
        let last = machine.commit(accepted(2), now: .zero)
        #expect(last.last == .finish(.nightBegan))
        #expect(machine.commit(.woke, now: .seconds(3_600)) == [])
    }

    @Test func `a send whose requests are all answered is complete when a night begins`() {
        var machine = machine(0..<1)
        _ = machine.commit(.begin, now: .zero)
        #expect(machine.commit(.nightBegan, now: .zero) == [])
        #expect(machine.commit(accepted(0), now: .zero).last == .finish(.complete))
    }

    @Test func `repeats requests after the end of a day, and ends then`() {
        var machine = DispatchMachine(
            requests: RequestRanges([0..<9]),
            mark: 0,
            rules: DispatchMachine.Rules(
                open: OpenLimit(fixed: 1),
                keepsNames: false,
                policy: SendPolicy(repeats: .answered, stopsAtUnknown: false)
            ),
            pace: .ample
        )
        _ = machine.commit(.begin, now: .zero)
        _ = machine.commit(.dayEnded, now: .zero)
        let failed = Judgement.failed(reason: "503 UNAVAILABLE", delay: nil)
        let waiting = machine.commit(.judged(request: 0, failed), now: .zero)
        #expect(!waiting.contains(.finish(.dayEnded)))
        #expect(!waiting.contains(.send([1])))
        let later = Duration.seconds(3_600)
        #expect(machine.commit(.woke, now: later).contains(.send([0])))
        #expect(machine.commit(accepted(0), now: later).last == .finish(.dayEnded))
    }

    @Test func `a send whose requests are all answered is complete when a day ends`() {
        var machine = machine(0..<1)
        _ = machine.commit(.begin, now: .zero)
        #expect(machine.commit(.dayEnded, now: .zero) == [])
        #expect(machine.commit(accepted(0), now: .zero).last == .finish(.complete))
    }

    @Test func `raises the mark when half of its allowance is answered`() {
        var machine = machine(0..<5)
        _ = machine.commit(.begin, now: .zero)
        #expect(machine.commit(accepted(0), now: .zero) == [.send([2])])
        let rejection = Judgement.rejected(.unregistered)
        #expect(
            machine.commit(.judged(request: 1, rejection), now: .zero) == [
                .record(
                    [outcome(0, .accepted), outcome(1, .rejected, "UNREGISTERED")],
                    released: 5
                ),
                .send([3]),
            ]
        )
        #expect(machine.commit(accepted(3), now: .zero) == [.send([4])])
        #expect(machine.commit(accepted(4), now: .zero) == [])
        #expect(
            machine.commit(accepted(2), now: .zero) == [
                .record(
                    [outcome(3, .accepted), outcome(4, .accepted), outcome(2, .accepted)],
                    released: nil
                ),
                .finish(.complete),
            ]
        )
    }

    @Test func `records in proportion to marks, not to sends`() {
        var machine = machine(0..<1_000, open: 64)
        var marks: [Int?] = []
        var queue: [Int] = []
        var commands = machine.commit(.begin, now: .zero)
        while commands.last != .finish(.complete) {
            for command in commands {
                if case .record(_, let released) = command { marks.append(released) }
                if case .send(let numbers) = command { queue += numbers }
            }
            commands = machine.commit(accepted(queue.removeFirst()), now: .zero)
        }
        #expect(marks == (0..<14).map { 128 + 64 * $0 } + [1_000])
        #expect(commands.count == 2)
    }

    @Test(.covers("C51"))
    func `sends nothing after the expiry and takes back unsent requests`() {
        var machine = machine(0..<9, expiry: .seconds(5))
        #expect(machine.commit(.begin, now: .zero) == [.record([], released: 4), .send([0, 1])])
        #expect(machine.commit(accepted(0), now: .seconds(4)) == [.send([2])])
        #expect(machine.commit(accepted(1), now: .seconds(5)) == [])
        #expect(
            machine.commit(accepted(2), now: .seconds(6)) == [
                .record(
                    [
                        outcome(0, .accepted), outcome(1, .accepted), outcome(2, .accepted),
                        outcome(3, .returned),
                    ],
                    released: nil
                ),
                .finish(.expired),
            ]
        )
    }

    @Test func `completes even if the last answer arrives after the expiry`() {
        var machine = machine(0..<1, expiry: .seconds(5))
        _ = machine.commit(.begin, now: .zero)
        #expect(machine.commit(accepted(0), now: .seconds(9)).last == .finish(.complete))
    }

    @Test func `finishes an empty unit immediately`() {
        var machine = machine()
        #expect(machine.commit(.begin, now: .zero) == [.finish(.complete)])
    }

    @Test func `records the name of a message to a topic`() {
        var machine = machine(0..<1, open: 64, names: true)
        #expect(machine.commit(.begin, now: .zero) == [.record([], released: 1), .send([0])])
        #expect(
            machine.commit(.judged(request: 0, .accepted(name: "messages/9")), now: .zero) == [
                .record([outcome(0, .accepted, "messages/9")], released: nil), .finish(.complete),
            ]
        )
    }

    @Test func `leaves a topic open if its outcome is unknown`() {
        var machine = machine(0..<1, open: 64, names: true, stopsAtUnknown: true)
        _ = machine.commit(.begin, now: .zero)
        let unknown = Judgement.failed(reason: "503 UNAVAILABLE", delay: nil)
        #expect(
            machine.commit(.judged(request: 0, unknown), now: .zero) == [
                .record([outcome(0, .unknown, "503 UNAVAILABLE")], released: nil),
                .finish(.unsettled),
            ]
        )
    }

    @Test func `a retried request is no longer recorded as unsent`() {
        var machine = machine(1..<2, 3..<4, 6..<8, mark: 5, open: 1)
        #expect(
            machine.commit(.begin, now: .zero) == [
                .record([outcome(1, .intended), outcome(3, .intended)], released: 5), .send([1]),
            ]
        )
        #expect(
            machine.commit(accepted(1), now: .zero) == [
                .record([outcome(1, .accepted)], released: 7), .send([3]),
            ]
        )
    }
}

// MARK: - While a record is under way

extension DispatchMachineTests {
    @Test func `sends nothing that is released before the record of it is durable`() {
        var machine = machine(0..<5)
        #expect(machine.receive(.begin, now: .zero) == [.record([], released: 4)])
        #expect(machine.receive(.woke, now: .seconds(1)) == [])
        #expect(machine.receive(.recorded, now: .seconds(2)) == [.send([0, 1])])
    }

    @Test func `handles answers while a record is pending, and records them with the next one`() {
        var machine = machine(0..<9, open: 3)
        #expect(machine.commit(.begin, now: .zero).last == .send([0, 1, 2]))
        for request in 0..<2 { _ = machine.receive(accepted(request), now: .zero) }
        // Three are outstanding of the six that are released.
        let first = (0..<3).map { outcome($0, .accepted) }
        #expect(
            machine.receive(accepted(2), now: .zero)
                == [.record(first, released: 9), .send([5])]
        )
        #expect(machine.receive(accepted(3), now: .zero) == [])
        #expect(machine.receive(accepted(4), now: .zero) == [])
        #expect(machine.receive(.recorded, now: .zero) == [.send([6, 7])])
        #expect(machine.receive(accepted(5), now: .zero) == [.send([8])])
        _ = machine.receive(accepted(6), now: .zero)
        _ = machine.receive(accepted(7), now: .zero)
        #expect(
            machine.receive(accepted(8), now: .zero) == [
                .record((3..<9).map { outcome($0, .accepted) }, released: nil),
                .finish(.complete),
            ]
        )
    }

    @Test func `raises the mark again only when the last record is durable`() {
        var machine = machine(0..<9, open: 1)
        #expect(machine.commit(.begin, now: .zero).last == .send([0]))
        #expect(
            machine.receive(accepted(0), now: .zero)
                == [.record([outcome(0, .accepted)], released: 3), .send([1])]
        )
        #expect(machine.receive(accepted(1), now: .zero) == [])
        #expect(
            machine.receive(.recorded, now: .zero)
                == [.record([outcome(1, .accepted)], released: 4), .send([2])]
        )
    }

    @Test func `also takes back requests that the pending record releases`() {
        var machine = machine(0..<9)
        #expect(machine.receive(.begin, now: .zero) == [.record([], released: 4)])
        #expect(
            machine.receive(.stop, now: .zero) == [
                .record((0..<4).map { outcome($0, .returned) }, released: nil),
                .finish(.stopped),
            ]
        )
        #expect(machine.receive(.recorded, now: .zero) == [])
    }
}

// MARK: - Stopping

extension DispatchMachineTests {
    @Test func `waits for open requests after a stop, then takes the rest back`() {
        var machine = machine(0..<5)
        _ = machine.commit(.begin, now: .zero)
        #expect(machine.commit(.stop, now: .zero) == [])
        #expect(machine.commit(accepted(1), now: .zero) == [])
        #expect(machine.commit(.stop, now: .zero) == [])
        let undelivered = Judgement.unwritten(reason: "refused")
        #expect(
            machine.commit(.judged(request: 0, undelivered), now: .zero) == [
                .record(
                    [
                        outcome(1, .accepted), outcome(0, .returned), outcome(2, .returned),
                        outcome(3, .returned),
                    ],
                    released: nil
                ),
                .finish(.stopped),
            ]
        )
    }

    @Test func `stops immediately during a pause without open requests`() {
        var machine = machine(0..<1)
        _ = machine.commit(.begin, now: .zero)
        #expect(
            machine.commit(.undelivered(0), now: .zero) == [
                .record([outcome(0, .returned)], released: nil), .wake(at: .milliseconds(500)),
            ]
        )
        #expect(machine.commit(.stop, now: .milliseconds(1)) == [.finish(.stopped)])
    }

    @Test func `a stop before the first release records nothing`() {
        var machine = machine(0..<3)
        #expect(machine.commit(.stop, now: .zero) == [.finish(.stopped)])
    }

    @Test
    func `a rejection of the caller ends the unit and returns rejected and unsent requests`() {
        var machine = machine(0..<5)
        _ = machine.commit(.begin, now: .zero)
        let refusal = Judgement.refusedUs(reason: "401 UNAUTHENTICATED: no")
        #expect(machine.commit(.judged(request: 0, refusal), now: .zero) == [])
        #expect(
            machine.commit(accepted(1), now: .zero) == [
                .record(
                    [
                        outcome(0, .returned, "401 UNAUTHENTICATED: no"), outcome(1, .accepted),
                        outcome(2, .returned), outcome(3, .returned),
                    ],
                    released: nil
                ),
                .finish(.refused(reason: "401 UNAUTHENTICATED: no")),
            ]
        )
    }

    @Test func `reports the first of several causes`() {
        let refusal = DispatchMachine.Event.judged(request: 0, .refusedUs(reason: "403"))
        var refused = machine(0..<1, open: 1)
        _ = refused.commit(.begin, now: .zero)
        #expect(refused.commit(refusal, now: .zero).last == .finish(.refused(reason: "403")))
        var stopped = machine(0..<1, open: 1)
        _ = stopped.commit(.begin, now: .zero)
        _ = stopped.commit(.stop, now: .zero)
        #expect(
            stopped.commit(refusal, now: .zero) == [
                .record([outcome(0, .returned, "403")], released: nil), .finish(.stopped),
            ]
        )
    }
}

// MARK: - Retries

extension DispatchMachineTests {
    @Test(.covers("A14", "F1.7-end"))
    func `doubles the pause after each failure and gives up after six in a row`() {
        var machine = machine(0..<3, open: 1)
        var now = Duration.seconds(10)
        _ = machine.commit(.begin, now: now)
        for pause in [0.5, 1, 2, 4, 8] {
            let end = now + .seconds(pause)
            #expect(
                machine.commit(.undelivered(0), now: now) == [
                    .record([outcome(0, .returned), outcome(1, .returned)], released: nil),
                    .wake(at: end),
                ]
            )
            #expect(
                machine.commit(.woke, now: end) == [
                    .record([outcome(0, .intended), outcome(1, .intended)], released: 2),
                    .send([0]),
                ]
            )
            now = end
        }
        #expect(
            machine.commit(.undelivered(0), now: now) == [
                .record([outcome(0, .returned), outcome(1, .returned)], released: nil),
                .finish(.unanswered(reason: "refused")),
            ]
        )
    }

    @Test func `resets the failures after an answer`() {
        var machine = machine(0..<2, open: 2)
        _ = machine.commit(.begin, now: .zero)
        var now = Duration.zero
        for pause in [0.5, 1, 2, 4, 8] {
            _ = machine.commit(.undelivered(0), now: now)
            now += .seconds(pause)
            _ = machine.commit(.woke, now: now)
        }
        _ = machine.commit(accepted(1), now: now)
        #expect(
            machine.commit(.undelivered(0), now: now) == [
                .record([outcome(1, .accepted), outcome(0, .returned)], released: nil),
                .wake(at: now + .milliseconds(500)),
            ]
        )
    }

    @Test func `sends nothing before the pause ends`() {
        var machine = machine(0..<2, open: 2)
        _ = machine.commit(.begin, now: .zero)
        let end = Duration.milliseconds(500)
        #expect(
            machine.commit(.undelivered(0), now: .zero) == [
                .record([outcome(0, .returned)], released: nil), .wake(at: end),
            ]
        )
        #expect(
            machine.commit(accepted(1), now: .milliseconds(100)) == [
                .record([outcome(1, .accepted)], released: nil)
            ]
        )
        // It is too early, and the wake-up that was set is still to come.
        #expect(machine.commit(.woke, now: .milliseconds(499)) == [])
        #expect(
            machine.commit(.woke, now: end) == [
                .record([outcome(0, .intended)], released: 2), .send([0]),
            ]
        )
    }

    @Test func `counts failures during a pause as part of the failure that started it`() {
        var machine = machine(0..<8, open: 8)
        _ = machine.commit(.begin, now: .zero)
        for request in 0..<8 {
            let wake = DispatchMachine.Command.wake(at: .milliseconds(500))
            #expect(
                machine.commit(.undelivered(request), now: .zero)
                    == [.record([outcome(request, .returned)], released: nil)]
                    + (request == 0 ? [wake] : [])
            )
        }
    }

    @Test(.covers("F1.7-quota", "F1.7-retry-after"))
    func `waits as long as FCM requests, nineteen times in a row`() {
        var machine = machine(0..<1, open: 1)
        _ = machine.commit(.begin, now: .zero)
        var now = Duration.zero
        let event = DispatchMachine.Event.undelivered(0, delay: .seconds(60))
        let returned = DispatchMachine.Command.record([outcome(0, .returned)], released: nil)
        for _ in 0..<19 {
            #expect(machine.commit(event, now: now) == [returned, .wake(at: now + .seconds(60))])
            now += .seconds(60)
            #expect(
                machine.commit(.woke, now: now) == [
                    .record([outcome(0, .intended)], released: 1), .send([0]),
                ]
            )
        }
        #expect(
            machine.commit(event, now: now) == [
                returned, .finish(.unanswered(reason: "refused")),
            ]
        )
    }

    @Test func `an answer between two delays resets their count`() {
        var machine = machine(0..<2, open: 1)
        _ = machine.commit(.begin, now: .zero)
        var now = Duration.zero
        for request in [0, 1] {
            for _ in 0..<19 {
                let event = DispatchMachine.Event.undelivered(request, delay: .seconds(60))
                let commands = machine.commit(event, now: now)
                now += .seconds(60)
                #expect(commands.last == .wake(at: now))
                #expect(machine.commit(.woke, now: now).last == .send([request]))
            }
            now += .seconds(1)
            _ = machine.commit(accepted(request), now: now)
        }
    }

    @Test func `counts delays during a pause as part of the delay that started it`() {
        var machine = machine(0..<30, open: 30)
        _ = machine.commit(.begin, now: .zero)
        for request in 0..<30 {
            let event = DispatchMachine.Event.undelivered(request, delay: .seconds(60))
            _ = machine.commit(event, now: .zero)
        }
        #expect(machine.commit(.woke, now: .seconds(61)).last == .send(Array(0..<30)))
    }

    @Test func `applies the longest of several pauses`() {
        var machine = machine(0..<3, open: 3)
        _ = machine.commit(.begin, now: .zero)
        let long = DispatchMachine.Event.undelivered(1, delay: .seconds(60))
        let short = DispatchMachine.Event.undelivered(2, delay: .seconds(5))
        #expect(machine.commit(.undelivered(0), now: .zero).last == .wake(at: .milliseconds(500)))
        _ = machine.commit(long, now: .zero)
        _ = machine.commit(short, now: .zero)
        #expect(machine.commit(.woke, now: .milliseconds(500)) == [.wake(at: .seconds(60))])
        #expect(machine.commit(.woke, now: .seconds(61)).last == .send([0, 1, 2]))
    }

    @Test func `releases requests that were returned during a pause again in list order`() {
        var machine = machine(0..<9, open: 2)
        #expect(machine.commit(.begin, now: .zero) == [.record([], released: 4), .send([0, 1])])
        let end = Duration.milliseconds(500)
        #expect(
            machine.commit(.undelivered(1), now: .zero) == [
                .record(
                    [outcome(1, .returned), outcome(2, .returned), outcome(3, .returned)],
                    released: nil
                ),
                .wake(at: end),
            ]
        )
        #expect(
            machine.commit(.undelivered(0), now: .zero) == [
                .record([outcome(0, .returned)], released: nil)
            ]
        )
        #expect(
            machine.commit(.woke, now: end) == [
                .record((0..<4).map { outcome($0, .intended) }, released: 4), .send([0, 1]),
            ]
        )
    }
}

// MARK: - Unknown outcomes

extension DispatchMachineTests {
    private func unknown(_ request: Int) -> DispatchMachine.Event {
        .judged(request: request, .unknown(reason: "timed out"))
    }

    @Test
    func `ends the unit after twenty unknown outcomes in a row and leaves the rest unchanged`() {
        var machine = machine(0..<100, open: 1)
        _ = machine.commit(.begin, now: .zero)
        for request in 0..<19 {
            #expect(
                machine.commit(unknown(request), now: .zero) == [
                    .record([outcome(request, .unknown, "timed out")], released: request + 3),
                    .send([request + 1]),
                ]
            )
        }
        #expect(
            machine.commit(unknown(19), now: .zero) == [
                .record(
                    [outcome(19, .unknown, "timed out"), outcome(20, .returned)],
                    released: nil
                ),
                .finish(.unanswered(reason: "timed out")),
            ]
        )
    }

    @Test(arguments: [Judgement.accepted(name: "n"), .rejected(.unregistered)])
    func `an answer between unknown outcomes resets their count`(answer: Judgement) {
        var machine = machine(0..<100, open: 1)
        _ = machine.commit(.begin, now: .zero)
        for request in 0..<39 {
            let event = request == 19 ? .judged(request: 19, answer) : unknown(request)
            #expect(machine.commit(event, now: .zero).last == .send([request + 1]))
        }
        let commands = machine.commit(unknown(39), now: .zero)
        #expect(commands.last == .finish(.unanswered(reason: "timed out")))
    }

    @Test
    func `ignores requests that were open at the first unknown outcome, and waits for the rest`() {
        var machine = machine(0..<100, open: 3)
        _ = machine.commit(.begin, now: .zero)
        // Two requests were open in addition to the first; twenty more are too many.
        for request in 0..<21 {
            #expect(machine.commit(unknown(request), now: .zero).last == .send([request + 3]))
        }
        #expect(machine.commit(unknown(22), now: .zero) == [])
        #expect(machine.commit(accepted(21), now: .zero) == [])
        let commands = machine.commit(accepted(23), now: .zero)
        #expect(commands.last == .finish(.unanswered(reason: "timed out")))
    }
}

extension DispatchMachine.Event {
    static func accepted(_ request: Int) -> Self {
        .judged(request: request, .accepted(name: "projects/p/messages/\(request)"))
    }

    static func undelivered(_ request: Int, delay: Duration? = nil) -> Self {
        let judgement =
            delay.map { Judgement.throttled(reason: "refused", delay: $0) }
            ?? .unwritten(reason: "refused")
        return .judged(request: request, judgement)
    }
}
