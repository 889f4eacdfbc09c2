import Service
import State
import StoreConformance
import Testing

struct StandbyMachineTests {
    private static let limit = Duration.seconds(60)
    private static let running = StandbyMachine.Holder(StoreFixtures.worker, isStopped: false)
    private static let stopped = StandbyMachine.Holder(StoreFixtures.worker, isStopped: true)
    private static let unknown = StandbyMachine.Holder(nil, isStopped: false)

    private static func machine(_ need: StandbyMachine.Need) -> StandbyMachine {
        StandbyMachine(waitingFor: need, limit: limit)
    }

    @Test(arguments: [StandbyMachine.Need.role, .lock])
    func `reports nothing if it does not have to wait`(need: StandbyMachine.Need) {
        var machine = Self.machine(need)
        #expect(machine.receive(.acquired, at: .zero) == [])
    }

    @Test func `a standby names the active service once, and says when it takes over`() {
        var machine = Self.machine(.role)
        #expect(machine.receive(.held(Self.running), at: .seconds(5)) == [.report(Self.running)])
        #expect(machine.receive(.held(Self.running), at: .seconds(6)) == [])
        #expect(machine.receive(.held(Self.running), at: .seconds(9_000)) == [])
        #expect(
            machine.receive(.acquired, at: .seconds(9_005)) == [.ended(after: .seconds(9_000))]
        )
        #expect(machine.receive(.acquired, at: .seconds(9_006)) == [])
    }

    @Test func `an active service that is stopped is a problem until it continues`() {
        var machine = Self.machine(.role)
        _ = machine.receive(.held(Self.running), at: .zero)
        #expect(
            machine.receive(.held(Self.stopped), at: .seconds(1))
                == [.report(Self.stopped), .stuck(Self.stopped)]
        )
        #expect(machine.receive(.held(Self.stopped), at: .seconds(2)) == [])
        #expect(
            machine.receive(.held(Self.running), at: .seconds(3))
                == [.report(Self.running), .moving]
        )
    }

    @Test func `a problem ends when a stopped service is killed`() {
        var machine = Self.machine(.role)
        _ = machine.receive(.held(Self.stopped), at: .zero)
        #expect(
            machine.receive(.acquired, at: .seconds(20)) == [.moving, .ended(after: .seconds(20))]
        )
    }

    @Test func `a holder has time to describe itself`() {
        var machine = Self.machine(.role)
        #expect(machine.receive(.held(Self.unknown), at: .zero) == [])
        #expect(
            machine.receive(.held(Self.running), at: .milliseconds(100))
                == [.report(Self.running)]
        )
        // It clears its description when it ends.
        #expect(machine.receive(.held(Self.unknown), at: .milliseconds(200)) == [])
        var other = Self.machine(.role)
        _ = other.receive(.held(Self.unknown), at: .zero)
        #expect(
            other.receive(.held(Self.unknown), at: .milliseconds(500)) == [.report(Self.unknown)]
        )
    }

    @Test func `a short wait for the lock is not reported`() {
        var machine = Self.machine(.lock)
        #expect(machine.receive(.held(Self.running), at: .zero) == [])
        #expect(machine.receive(.held(Self.running), at: .milliseconds(400)) == [])
        #expect(machine.receive(.acquired, at: .milliseconds(490)) == [])
    }

    @Test func `a lock that is held for longer than the limit is a problem`() {
        var machine = Self.machine(.lock)
        _ = machine.receive(.held(Self.running), at: .zero)
        #expect(
            machine.receive(.held(Self.running), at: .milliseconds(500))
                == [.report(Self.running)]
        )
        #expect(machine.receive(.held(Self.running), at: .seconds(59)) == [])
        #expect(machine.receive(.held(Self.running), at: .seconds(60)) == [.stuck(Self.running)])
        #expect(machine.receive(.held(Self.running), at: .seconds(61)) == [])
        #expect(
            machine.receive(.acquired, at: .seconds(62)) == [.moving, .ended(after: .seconds(62))]
        )
    }

    @Test func `without patience, the first failed attempt is a problem`() {
        var machine = StandbyMachine(waitingFor: .lock, limit: .zero)
        #expect(
            machine.receive(.held(Self.running), at: .zero)
                == [.report(Self.running), .stuck(Self.running)]
        )
    }
}
