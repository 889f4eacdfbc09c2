import CampaignModel
import FCMWire
import HTTPTransport
import RateControl
import RegistrationLists
import State
import StoreConformance
import TestSupport
import Testing

@testable import Memberships
@testable import Planning
@testable import RunControl

struct MembershipMachineTests {
    private let scope: MembershipScope
    private let members: [Member]

    init() throws {
        scope = try StoreFixtures.scope("all", "news")
        members = try StoreFixtures.members(0..<4)
    }

    private func machine(
        _ direction: MembershipMachine.Direction = .remove,
        by choice: MembershipTransportChoice = .auto,
        open: OpenLimit = OpenLimit(fixed: 64),
        noted: [Fingerprint] = []
    ) -> MembershipMachine {
        MembershipMachine(
            for: MembershipChange(
                scope: scope,
                list: .inline(members.map(\.registration)),
                joins: [],
                leaves: [],
                forgotten: [],
                noted: noted
            ),
            direction: direction,
            by: MembershipRoute(choice, remembered: nil),
            rules: MembershipMachine.Rules(
                open: open,
                backoff: Backoff(shortest: .seconds(1), shortestRepeat: .seconds(10)),
                seed: 7
            ),
            pace: .ample
        )
    }

    /// Returns a machine with an open request for the first members, all of which leave.
    private func requesting(
        _ count: Int = 2,
        by choice: MembershipTransportChoice = .auto
    ) -> MembershipMachine {
        var machine = machine(by: choice)
        _ = machine.receive(.begin, now: .zero)
        #expect(
            machine.receive(.read(Array(members[..<count]), standings: [:]), now: .zero)
                == [.read, .request(work(0..<count), by: machine.route)]
        )
        #expect(machine.receive(.read([], standings: [:]), now: .zero) == [])
        return machine
    }

    /// Returns the route after batches were abandoned.
    private func singles(after reason: String) -> MembershipRoute {
        var route = MembershipRoute(.auto, remembered: nil)
        let isLeft = route.leave(because: reason)
        #expect(isLeft)
        return route
    }

    private func work(_ range: Range<Int>, failures: Int = 0) -> MembershipWork {
        MembershipWork(members: Array(members[range]), failures: failures)
    }

    private func results(
        _ range: Range<Int>,
        _ verdict: MembershipResult.Verdict = .done
    ) -> [MembershipResult] {
        StoreFixtures.results(members[range], verdict)
    }

    private static let full = StateStoreError.diskFull(path: "dev.sqlite")

    // MARK: Plain runs

    @Test func `records joins before the request, and its verdicts afterwards`() {
        var machine = machine(.add)
        let route = machine.route
        let two = Array(members[..<2])
        #expect(machine.receive(.begin, now: .zero) == [.read])
        #expect(
            machine.receive(.read(two, standings: [:]), now: .zero) == [.query(two, by: route)]
        )
        let sorted = SortedMembers(ours: [two[0]], external: [two[1]])
        let reading = MembershipReader.Reading.answers([.topics([]), .topics(["news"])])
        #expect(
            machine.receive(.queried(reading, by: route), now: .zero) == [.write(.begin(sorted))]
        )
        #expect(
            machine.receive(.written, now: .zero)
                == [.report(.progressed(by: 1)), .read, .request(work(0..<1), by: route)]
        )
        #expect(machine.receive(.read([], standings: [:]), now: .zero) == [])
        #expect(
            machine.receive(.answered(work(0..<1), .verdicts([.done]), by: route), now: .zero)
                == [.write(.finish(results(0..<1)))]
        )
        #expect(
            machine.receive(.written, now: .zero)
                == [.report(.progressed(by: 1)), .finish(nil)]
        )
        #expect((machine.tally.joined, machine.tally.external) == (1, 1))
    }

    @Test func `queries no member whose subscription has a recorded owner`() {
        var machine = machine(.add, noted: [members[2].fingerprint])
        _ = machine.receive(.begin, now: .zero)
        let standings: [Fingerprint: Set<MembershipStatus>] = [
            members[0].fingerprint: [.joining], members[1].fingerprint: [.external],
            members[2].fingerprint: [.optedOut],
        ]
        let sorted = SortedMembers(
            ours: [members[0]],
            external: [members[1]],
            optedOut: [members[2]]
        )
        #expect(
            machine.receive(.read(Array(members[..<3]), standings: standings), now: .zero)
                == [.write(.begin(sorted))]
        )
    }

    @Test func `requests leaves while it reads the next ones`() {
        var machine = requesting()
        let work = work(0..<2)
        let reply = MembershipReply.verdicts([.done, .refused("PERMISSION_DENIED")])
        #expect(
            machine.receive(.answered(work, reply, by: machine.route), now: .zero)
                == [.write(.finish(results(0..<1) + results(1..<2, .refused("PERMISSION_DENIED"))))]
        )
        #expect(
            machine.receive(.written, now: .zero) == [
                .report(.progressed(by: 1)), .report(.progressed(by: 1, .refused)), .finish(nil),
            ]
        )
        #expect(machine.tally.left == 1)
        #expect(machine.tally.refusedLeaves.map(\.reason) == ["PERMISSION_DENIED"])
    }

    @Test func `records single verdicts in groups`() {
        var machine = machine(by: .perRegistration, open: OpenLimit(fixed: 3))
        let route = machine.route
        _ = machine.receive(.begin, now: .zero)
        let commands = machine.receive(.read(members, standings: [:]), now: .zero)
        #expect(
            commands == [.read] + (0..<3).map { .request(work($0..<$0 + 1), by: route) }
        )
        _ = machine.receive(.read([], standings: [:]), now: .zero)
        func answer(_ number: Int, at time: Duration) -> [MembershipMachine.Command] {
            let reply = MembershipReply.verdicts([.done])
            return machine.receive(
                .answered(work(number..<number + 1), reply, by: route),
                now: time
            )
        }
        #expect(answer(0, at: .milliseconds(100)) == [.request(work(3..<4), by: route)])
        #expect(answer(1, at: .milliseconds(250)) == [.write(.finish(results(0..<2)))])
        #expect(answer(2, at: .milliseconds(260)) == [])
        #expect(answer(3, at: .milliseconds(270)) == [])
        #expect(
            machine.receive(.written, now: .milliseconds(280))
                == [.report(.progressed(by: 2)), .write(.finish(results(2..<4)))]
        )
        #expect(
            machine.receive(.written, now: .milliseconds(290))
                == [.report(.progressed(by: 2)), .finish(nil)]
        )
    }

    @Test func `opens as many requests as the rate and the time of an answer require`() throws {
        let many = try StoreFixtures.members(0..<200)
        var machine = machine(by: .perRegistration, open: OpenLimit(unknown: 4_000))
        let route = machine.route
        func requests(_ event: MembershipMachine.Event, at time: Duration) -> Int {
            machine.receive(event, now: time).count {
                if case .request = $0 { true } else { false }
            }
        }
        #expect(requests(.begin, at: .zero) == 0)
        #expect(requests(.read(many, standings: [:]), at: .zero) == 64)
        let first = MembershipWork(members: [many[0]], failures: 0)
        let answer = MembershipMachine.Event.answered(first, .verdicts([.done]), by: route)
        #expect(requests(answer, at: .milliseconds(100)) == 136)
        #expect(machine.window.roundTrip == .milliseconds(100))
    }

    @Test(arguments: [
        (#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}"#, nil),
        (
            #"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"#
                + #""type.googleapis.com/google.rpc.RetryInfo","retryDelay":"7s"}]}}"#,
            Duration.seconds(7)
        ),
    ])
    func `reads the pause of a refusal from RetryInfo`(body: String, delay: Duration?) {
        let answer = HTTPAnswer(status: 429, body: Array(body.utf8))
        let route = MembershipRoute(.perRegistration, remembered: nil)
        let reply = MembershipReply(answer, by: route, for: 1)
        guard case .throttled(_, let found) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(found == delay)
    }

    @Test func `ends after earlier members if the list differs from the plan`() {
        var machine = machine()
        _ = machine.receive(.begin, now: .zero)
        _ = machine.receive(.read(Array(members[..<1]), standings: [:]), now: .zero)
        let error = ApplyError.list(.changed(path: "list.txt"))
        #expect(machine.receive(.notRead(error), now: .zero) == [])
        let answer = MembershipMachine.Event.answered(
            work(0..<1),
            .verdicts([.done]),
            by: machine.route
        )
        #expect(machine.receive(answer, now: .zero) == [.write(.finish(results(0..<1)))])
        #expect(machine.receive(.written, now: .zero).last == .finish(error))
    }

    // MARK: The transport

    @Test func `repeats a batch as single requests if batches are not served`() {
        var machine = requesting()
        let work = work(0..<2)
        let batches = machine.route
        let singles = singles(after: "404 gone")
        #expect(
            machine.receive(.answered(work, .notServed("404 gone"), by: batches), now: .zero) == [
                .report(.transportChosen(.perRegistration, because: "404 gone")),
                .request(self.work(0..<1), by: singles), .request(self.work(1..<2), by: singles),
            ]
        )
        #expect(
            machine.receive(
                .answered(self.work(0..<1), .verdicts([.done]), by: singles),
                now: .zero
            ) == [
                .write(
                    MembershipWrite(verdicts: results(0..<1), transport: .perRegistration)
                )
            ]
        )
        #expect(
            machine.receive(
                .answered(self.work(1..<2), .verdicts([.done]), by: singles),
                now: .zero
            ) == []
        )
        #expect(
            machine.receive(.written, now: .zero)
                == [.report(.progressed(by: 1)), .write(.finish(results(1..<2)))]
        )
        #expect(machine.receive(.written, now: .zero).last == .finish(nil))
    }

    @Test func `records verdicts together with the next members`() {
        var machine = machine(.add)
        let route = machine.route
        let standings = Dictionary(
            uniqueKeysWithValues: members.map { ($0.fingerprint, Set([MembershipStatus.joining])) }
        )
        func read(_ range: Range<Int>) -> [MembershipMachine.Command] {
            machine.receive(.read(Array(members[range]), standings: standings), now: .zero)
        }
        _ = machine.receive(.begin, now: .zero)
        _ = read(0..<1)
        _ = machine.receive(.written, now: .zero)
        let next = MembershipMachine.Command.write(.begin(SortedMembers(ours: [members[1]])))
        #expect(read(1..<2) == [next])
        // The third member is read while the second one is written, and the first one is answered.
        let answer = MembershipMachine.Event.answered(work(0..<1), .verdicts([.done]), by: route)
        #expect(machine.receive(answer, now: .zero) == [])
        #expect(
            machine.receive(.written, now: .zero) == [
                .read, .request(work(1..<2), by: route), .write(.finish(results(0..<1))),
            ]
        )
        #expect(read(2..<3) == [])
        let second = MembershipMachine.Event.answered(work(1..<2), .verdicts([.done]), by: route)
        #expect(machine.receive(second, now: .zero) == [])
        #expect(
            machine.receive(.written, now: .zero) == [
                .report(.progressed(by: 1)),
                .write(
                    MembershipWrite(
                        verdicts: results(1..<2),
                        beginning: SortedMembers(ours: [members[2]])
                    )
                ),
            ]
        )
        // Nothing is lost if the commit fails: the verdicts are written again without the members.
        #expect(
            machine.receive(.notWritten(Self.full), now: .zero)
                == [.drain, .write(.finish(results(1..<2)))]
        )
    }

    @Test func `queries again if batches are not served`() {
        var machine = machine(.add)
        let batches = machine.route
        _ = machine.receive(.begin, now: .zero)
        _ = machine.receive(.read(members, standings: [:]), now: .zero)
        let singles = singles(after: "410 gone")
        #expect(
            machine.receive(.queried(.notServed("410 gone"), by: batches), now: .zero) == [
                .report(.transportChosen(.perRegistration, because: "410 gone")),
                .query(members, by: singles),
            ]
        )
    }

    // MARK: Answers without a verdict

    @Test func `requests nothing before the time of Retry-After`() {
        var machine = requesting(1)
        let (work, route) = (work(0..<1), machine.route)
        let reply = MembershipReply.throttled("429 slow", retryAfter: .seconds(30))
        #expect(
            machine.receive(.answered(work, reply, by: route), now: .seconds(5)) == [
                .report(.pausing(.quota, for: .seconds(30))), .wake(at: .seconds(35)),
            ]
        )
        #expect(machine.receive(.woke, now: .seconds(34)) == [])
        #expect(machine.receive(.woke, now: .seconds(35)) == [.request(work, by: route)])
    }

    @Test func `repeats the rest of a batch after its verdicts are recorded`() {
        var machine = requesting()
        let work = work(0..<2)
        let route = machine.route
        let reply = MembershipReply.verdicts([.done, .passing(isQuota: false)])
        #expect(
            machine.receive(.answered(work, reply, by: route), now: .zero)
                == [.write(.finish(results(0..<1)))]
        )
        #expect(machine.receive(.woke, now: .seconds(3)) == [])
        #expect(
            machine.receive(.written, now: .seconds(4)) == [
                .report(.progressed(by: 1)), .request(self.work(1..<2, failures: 1), by: route),
            ]
        )
    }

    @Test func `gives up after six lost answers in a row`() {
        var machine = requesting()
        let route = machine.route
        var work = work(0..<2)
        var now = Duration.zero
        let lost = MembershipReply.passing("connection lost", retryAfter: nil, isAnswered: false)
        var pauses: [Duration] = []
        for _ in 1..<6 {
            let commands = machine.receive(.answered(work, lost, by: route), now: now)
            guard case .wake(let time) = commands.first else {
                Issue.record("\(commands)")
                return
            }
            pauses.append(time - now)
            now = time
            guard case .request(let again, _) = machine.receive(.woke, now: now).first else {
                Issue.record("no request")
                return
            }
            work = again
        }
        #expect(pauses == [1, 2, 4, 8, 16].map { .seconds($0) })
        #expect(work.failures == 5)
        #expect(
            machine.receive(.answered(work, lost, by: route), now: now)
                == [.drain, .finish(.unanswered(reason: "connection lost"))]
        )
    }

    @Test func `ends if FCM rejects the caller`() {
        var machine = requesting()
        let work = work(0..<2)
        let reply = MembershipReply.refusedUs("403 PERMISSION_DENIED")
        #expect(
            machine.receive(.answered(work, reply, by: machine.route), now: .zero)
                == [.drain, .finish(.refused(reason: "403 PERMISSION_DENIED"))]
        )
    }

    // MARK: Stop and failure

    @Test func `waits for open requests after a stop, and records their verdicts`() {
        var machine = requesting(1, by: .perRegistration)
        let route = machine.route
        #expect(machine.receive(.stop, now: .zero) == [.drain])
        #expect(
            machine.receive(.answered(work(0..<1), .verdicts([.done]), by: route), now: .zero)
                == [.write(.finish(results(0..<1)))]
        )
        #expect(
            machine.receive(.written, now: .zero)
                == [.report(.progressed(by: 1)), .finish(.interrupted)]
        )
        #expect(machine.receive(.woke, now: .seconds(9)) == [])
    }

    @Test func `ends without the open requests after the drain limit`() {
        var machine = requesting()
        _ = machine.receive(.stop, now: .zero)
        #expect(machine.receive(.drained, now: .seconds(20)) == [.finish(.interrupted)])
    }

    @Test func `a stop before the start reads nothing`() {
        var machine = machine()
        #expect(machine.receive(.stop, now: .zero) == [.drain, .finish(.interrupted)])
        #expect(machine.receive(.begin, now: .zero) == [])
    }

    @Test func `tries once more to record verdicts after the state failed`() {
        var machine = requesting()
        let work = work(0..<2)
        let reply = MembershipReply.verdicts([.done, .done])
        let record = MembershipMachine.Command.write(.finish(results(0..<2)))
        #expect(
            machine.receive(.answered(work, reply, by: machine.route), now: .zero) == [record]
        )
        #expect(machine.receive(.notWritten(Self.full), now: .zero) == [.drain, record])
        #expect(
            machine.receive(.notWritten(Self.full), now: .zero) == [.finish(.state(Self.full))]
        )
        #expect(machine.tally.left == 0)
    }

    @Test func `requests no member whose join could not be recorded`() {
        var machine = machine(.add)
        _ = machine.receive(.begin, now: .zero)
        let standings = Dictionary(
            uniqueKeysWithValues: members.map { ($0.fingerprint, Set([MembershipStatus.joining])) }
        )
        #expect(
            machine.receive(.read(members, standings: standings), now: .zero)
                == [.write(.begin(SortedMembers(ours: members)))]
        )
        #expect(
            machine.receive(.notWritten(Self.full), now: .zero)
                == [.drain, .finish(.state(Self.full))]
        )
    }
}

extension MembershipWrite {
    fileprivate static func begin(_ sorted: SortedMembers) -> MembershipWrite {
        MembershipWrite(beginning: sorted)
    }

    fileprivate static func finish(_ verdicts: [MembershipResult]) -> MembershipWrite {
        MembershipWrite(verdicts: verdicts)
    }
}
