import Applying
import CampaignModel
import RunControl
import State
import StoreConformance
import Testing
import Time

/// Following sends that a service makes.
struct FollowMachineTests {
    private typealias Look = FollowMachine.Look

    private let id: OccurrenceID
    private let now = Instant(secondsSince1970: 1_800_000_000)

    init() throws {
        id = try StoreFixtures.occurrence("sale")
    }

    private func unit(
        accepted: Int = 0,
        unknown: Int = 0,
        released: Int? = nil,
        toList: Bool = true
    ) throws -> WorkUnitRecord {
        var tally = OutcomeTally()
        tally[.accepted] = accepted
        tally[.unknown] = unknown
        tally[.intended] = 3 - accepted - unknown
        return WorkUnitRecord(
            id: UnitID(number: 1),
            target: toList
                ? .registrations(ListID(text: "list"))
                : .topic(try #require(Topic("news"))),
            count: 3,
            released: released ?? accepted + unknown,
            tally: tally
        )
    }

    private func look(
        _ status: OccurrenceStatus,
        due: Int64 = 0,
        unit: WorkUnitRecord? = nil,
        hold: Hold? = nil,
        pause: PauseScope? = nil
    ) -> Look {
        Look(
            record: OccurrenceRecord(
                id: id,
                status: status,
                due: now.advanced(bySeconds: due),
                message: nil,
                unit: unit,
                hold: hold
            ),
            pause: pause,
            now: now
        )
    }

    @Test func `reports progress until the send has ended`() throws {
        var machine = FollowMachine(of: [id])
        #expect(machine.receive([id: look(.scheduled)]).isEmpty)
        #expect(machine.standing(of: id) == .waiting)
        let first = try unit(accepted: 1)
        #expect(
            machine.receive([id: look(.dispatching, unit: first)])
                == [.began(.sending(id), total: 3), .progressed(by: 1, .done, of: id)]
        )
        #expect(!machine.isDone)
        let last = try unit(accepted: 2, unknown: 1)
        #expect(
            machine.receive([id: look(.finished, unit: last)])
                == [
                    .progressed(by: 1, .done, of: id), .progressed(by: 1, .unknown, of: id),
                    .ended(.sending(id)),
                ]
        )
        #expect(machine.standing(of: id) == .finished)
        #expect(machine.isDone)
    }

    @Test(arguments: [OccurrenceStatus.finished, .expired, .cancelled])
    func `a send that has ended is final at once`(status: OccurrenceStatus) {
        var machine = FollowMachine(of: [id])
        _ = machine.receive([id: look(status)])
        #expect(machine.isDone)
    }

    @Test func `what waits for a person ends the wait at the second look`() throws {
        let waiting = try [
            look(.dispatching, unit: unit(accepted: 1), hold: .mostlyDead),
            look(.dispatching, unit: unit(unknown: 1, toList: false)),
            look(.dispatching, unit: unit(accepted: 1), pause: .everything),
            look(.scheduled, pause: .everything),
            look(.scheduled, due: 60),
        ]
        let standings: [FollowMachine.Standing] = [
            .held(.mostlyDead), .stopped, .paused(.everything), .paused(.everything),
            .deferred(until: now.advanced(bySeconds: 60)),
        ]
        for (look, standing) in zip(waiting, standings) {
            var machine = FollowMachine(of: [id])
            _ = machine.receive([id: look])
            #expect(machine.standing(of: id) == standing)
            #expect(!machine.isDone)
            #expect(machine.isUnsettled)
            _ = machine.receive([id: look])
            #expect(machine.isDone)
        }
    }

    @Test func `open requests are not the end`() throws {
        var machine = FollowMachine(of: [id])
        let open = try unit(accepted: 1, released: 2)
        for _ in 0..<3 {
            _ = machine.receive([
                id: look(.dispatching, unit: open, hold: .mostlyDead, pause: .everything)
            ])
        }
        #expect(machine.standing(of: id) == .sending)
        #expect(!machine.isDone)
    }

    @Test func `a lifted pause lets the wait continue`() {
        var machine = FollowMachine(of: [id])
        _ = machine.receive([id: look(.scheduled, pause: .everything)])
        _ = machine.receive([id: look(.scheduled)])
        _ = machine.receive([id: look(.scheduled, pause: .everything)])
        #expect(!machine.isDone)
    }

    @Test func `shows one send at a time`() throws {
        let other = try StoreFixtures.occurrence("other")
        var machine = FollowMachine(of: [id, other])
        let sending = try look(.dispatching, unit: unit(accepted: 1))
        #expect(
            machine.receive([id: sending, other: sending])
                == [.began(.sending(other), total: 3), .progressed(by: 1, .done, of: other)]
        )
        let ended = try look(.finished, unit: unit(accepted: 3))
        #expect(
            machine.receive([id: sending, other: ended])
                == [
                    .progressed(by: 2, .done, of: other), .ended(.sending(other)),
                    .began(.sending(id), total: 3), .progressed(by: 1, .done, of: id),
                ]
        )
        #expect(machine.open == [id])
    }
}
