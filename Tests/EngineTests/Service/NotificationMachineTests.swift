import CampaignModel
import Service
import State
import Testing
import Time

struct NotificationMachineTests {
    private static let limits = NotificationMachine.Limits(
        attempts: 3,
        firstPause: .seconds(1),
        longestPause: .seconds(10),
        queue: 2
    )

    private static func notification(_ campaign: String) throws -> ServiceNotification {
        ServiceNotification(
            of: OccurrenceID(
                campaign: try #require(CampaignID(campaign)),
                slot: .once,
                revision: 1
            ),
            .finished,
            counts: OutcomeTally(),
            context: ServiceNotification.Context(
                lineage: StateLineage(text: "b5"),
                now: Instant(secondsSince1970: 1_800_000_000)
            )
        )
    }

    private static let away = WebhookAnswer.unavailable(reason: "HTTP 503", after: nil)

    @Test func `posts one notification after the other, in order`() throws {
        let (first, second) = (try Self.notification("a"), try Self.notification("b"))
        var machine = NotificationMachine(Self.limits)
        #expect(machine.receive(.occurred(first), at: .zero) == [.post(first)])
        #expect(machine.receive(.occurred(second), at: .zero) == [])
        #expect(
            machine.receive(.answered(.delivered), at: .zero)
                == [.report(.delivered(first)), .post(second)]
        )
        #expect(machine.receive(.answered(.delivered), at: .zero) == [.report(.delivered(second))])
        #expect(machine.isIdle)
    }

    @Test func `doubles the pause after each failure and gives up after the last attempt`() throws {
        let only = try Self.notification("a")
        var machine = NotificationMachine(Self.limits)
        _ = machine.receive(.occurred(only), at: .zero)
        #expect(
            machine.receive(.answered(Self.away), at: .zero) == [
                .report(.retrying(only, reason: "HTTP 503", after: .seconds(1))),
                .wake(after: .seconds(1)),
            ]
        )
        #expect(
            machine.receive(.time, at: .milliseconds(400)) == [.wake(after: .milliseconds(600))]
        )
        #expect(machine.receive(.time, at: .seconds(1)) == [.post(only)])
        #expect(
            machine.receive(.answered(Self.away), at: .seconds(1)) == [
                .report(.retrying(only, reason: "HTTP 503", after: .seconds(2))),
                .wake(after: .seconds(2)),
            ]
        )
        #expect(machine.receive(.time, at: .seconds(3)) == [.post(only)])
        #expect(
            machine.receive(.answered(Self.away), at: .seconds(3))
                == [.report(.dropped(only, reason: .unavailable("HTTP 503")))]
        )
        #expect(machine.isIdle)
    }

    @Test(arguments: [(Int64(4), Int64(4)), (0, 1), (99, 10)])
    func `waits as long as the receiver asks, up to a limit`(asked: Int64, waits: Int64) throws {
        var machine = NotificationMachine(Self.limits)
        _ = machine.receive(.occurred(try Self.notification("a")), at: .zero)
        let answer = WebhookAnswer.unavailable(reason: "HTTP 429", after: .seconds(asked))
        let commands = machine.receive(.answered(answer), at: .zero)
        #expect(commands.last == .wake(after: .seconds(waits)))
    }

    @Test func `a refused notification does not keep the next one waiting`() throws {
        let (first, second) = (try Self.notification("a"), try Self.notification("b"))
        var machine = NotificationMachine(Self.limits)
        _ = machine.receive(.occurred(first), at: .zero)
        _ = machine.receive(.occurred(second), at: .zero)
        #expect(
            machine.receive(.answered(.refused(reason: "HTTP 404")), at: .zero)
                == [.report(.dropped(first, reason: .refused("HTTP 404"))), .post(second)]
        )
    }

    @Test func `the same notification is delivered once`() throws {
        let only = try Self.notification("a")
        var machine = NotificationMachine(Self.limits)
        _ = machine.receive(.occurred(only), at: .zero)
        _ = machine.receive(.answered(.delivered), at: .zero)
        #expect(machine.receive(.occurred(only), at: .seconds(5)) == [])
        #expect(machine.isIdle)
    }

    @Test func `a full queue drops the oldest that is not on its way`() throws {
        let all = try ["a", "b", "c"].map(Self.notification)
        var machine = NotificationMachine(Self.limits)
        _ = machine.receive(.occurred(all[0]), at: .zero)
        _ = machine.receive(.occurred(all[1]), at: .zero)
        #expect(
            machine.receive(.occurred(all[2]), at: .zero)
                == [.report(.dropped(all[1], reason: .full))]
        )
        #expect(
            machine.receive(.answered(.delivered), at: .zero)
                == [.report(.delivered(all[0])), .post(all[2])]
        )
    }

    @Test func `a stop ends the pause, for one last attempt`() throws {
        let only = try Self.notification("a")
        var machine = NotificationMachine(Self.limits)
        _ = machine.receive(.occurred(only), at: .zero)
        _ = machine.receive(.answered(Self.away), at: .zero)
        #expect(machine.receive(.stop, at: .milliseconds(10)) == [.post(only)])
        #expect(
            machine.receive(.answered(Self.away), at: .milliseconds(20))
                == [.report(.dropped(only, reason: .unavailable("HTTP 503")))]
        )
        #expect(machine.isIdle)
    }
}
