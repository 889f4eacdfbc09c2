import CampaignModel
import State
import StoreConformance
import Testing
import Time

@testable import Applying

struct SendRateMeterTests {
    private func overview(
        _ sent: [String: Int],
        fleet: FleetOverview = .none
    ) throws -> StateOverview {
        let occurrences = try sent.sorted { $0.key < $1.key }.map { name, count in
            var counts = RequestCounts()
            counts.accepted = count
            counts.notSent = 100_000 - count
            return OccurrenceOverview(
                id: try StoreFixtures.occurrence(name),
                phase: .underWay,
                due: PlanScene.moment(0),
                unit: nil,
                counts: counts,
                repeated: 0
            )
        }
        return StateOverview(
            identity: StateIdentity(
                lineage: StateLineage(text: "0123456789abcdef0123456789abcdef"),
                serial: StateSerial(number: 14),
                fingerprintKey: FingerprintKey(bytes: Array(repeating: 7, count: 32))
            ),
            writer: .nobody,
            pauses: [],
            resolutions: [],
            occurrences: occurrences,
            settled: SettledOccurrences([]),
            memberships: [],
            deadCount: 0,
            fleet: fleet
        )
    }

    @Test func `the rate is that since the first reading`() throws {
        var meter = SendRateMeter()
        #expect(meter.add(try overview(["sale": 1_000]), at: .seconds(5)) == nil)
        let sale = try StoreFixtures.occurrence("sale")
        let rates = meter.add(try overview(["sale": 2_000]), at: .seconds(7))
        #expect(rates == SendRates(perMinute: [sale: 30_000]))
        #expect(meter.add(try overview(["sale": 2_000]), at: .seconds(9))?.sum == 15_000)
    }

    @Test func `readings of more than 10 s ago do not count`() throws {
        var meter = SendRateMeter()
        for (time, count) in [(0, 0), (4, 50_000), (10, 50_000), (14, 51_000)] {
            _ = meter.add(try overview(["sale": count]), at: .seconds(time))
        }
        // From 51,000 at 14 s to 51,500 at 20 s, compared with 50,000 at 10 s.
        #expect(meter.add(try overview(["sale": 51_500]), at: .seconds(20))?.sum == 9_000)
    }

    @Test func `an occurrence that begins or ends counts`() throws {
        var meter = SendRateMeter()
        _ = meter.add(try overview(["first": 99_000]), at: .zero)
        let now = try overview(["second": 500])
        let first = try StoreFixtures.occurrence("first")
        #expect(meter.ended(in: now) == [first])
        let rates = meter.add(now, ended: [first: 100_000], at: .seconds(6))
        let second = try StoreFixtures.occurrence("second")
        #expect(rates?.perMinute == [first: 10_000, second: 5_000])
        #expect(rates?.sum == 15_000)
    }

    @Test func `requests that were returned do not make a negative rate`() throws {
        var meter = SendRateMeter()
        _ = meter.add(try overview(["sale": 1_000]), at: .zero)
        #expect(meter.add(try overview(["sale": 400]), at: .seconds(2))?.sum == 0)
    }
}

struct EntrustedCountTests {
    @Test func `released requests are in flight until their outcomes are returned`() throws {
        let entrusted = EntrustedOccurrence(
            id: try StoreFixtures.occurrence("sale"),
            tally: StoreFixtures.tally([
                .intended: 100, .accepted: 40, .rejected: 3, .returned: 2, .suppressed: 5,
            ]),
            released: 30,
            units: EntrustedOccurrence.Units(free: 1, owned: 2, finished: 0),
            workers: 2
        )
        let counts = RequestCounts(entrusted)
        #expect((counts.notSent, counts.inFlight, counts.accepted) == (72, 30, 40))
        #expect((counts.rejected, counts.unknown, counts.suppressed) == (3, 0, 5))
        #expect(counts.sent == 73)
        #expect((entrusted.count, entrusted.sendable, entrusted.sent) == (150, 145, 73))
    }
}
