import CampaignModel
import State
import StoreConformance
import Testing
import Time

@testable import Applying
@testable import RunControl

/// A state with something of every kind, as `herald status` reads it.
enum SampleOverview {
    static let now = PlanScene.now
    static let ago = Instant(secondsSince1970: now.secondsSince1970 - 300)

    static func make(writer: CurrentWriter = .nobody) throws -> StateOverview {
        let scope = try StoreFixtures.scope("folk", "tides")
        let occurrences = try occurrences(isAwaited: writer != .nobody)
        return StateOverview(
            identity: StateIdentity(
                lineage: StateLineage(text: "0123456789abcdef0123456789abcdef"),
                serial: StateSerial(number: 14),
                fingerprintKey: FingerprintKey(bytes: Array(repeating: 7, count: 32))
            ),
            writer: writer,
            pauses: [
                Pause(
                    scope: .campaign(try id("going").campaign),
                    since: ago,
                    user: "ann",
                    host: "\u{7}desk"
                )
            ],
            resolutions: [
                RequestedResolution(
                    occurrence: try id("asked"),
                    resolution: .resend,
                    unknown: 1,
                    user: "bo",
                    host: "desk",
                    at: ago
                )
            ],
            occurrences: occurrences,
            settled: SettledOccurrences(occurrences),
            memberships: [
                MembershipSummary(
                    audience: scope.audience,
                    topic: scope.topic,
                    counts: [.joined: 1_200, .external: 2, .optedOut: 1]
                )
            ],
            deadCount: 3
        )
    }

    private static func occurrences(isAwaited: Bool) throws -> [OccurrenceOverview] {
        let list = UnitTarget.registrations(ListID(text: "aa"))
        let topic = UnitTarget.topic(try #require(Topic("tides")))
        func sending(
            _ name: String,
            _ phase: OccurrenceOverview.Phase,
            _ counts: [Outcome: Int],
            to target: UnitTarget = list,
            released: Int = 0,
            repeated: Int = 0
        ) throws -> OccurrenceOverview {
            let tally = StoreFixtures.tally(counts)
            let unit = WorkUnitRecord(
                id: UnitID(number: 1),
                target: target,
                count: tally.total,
                released: released,
                tally: tally
            )
            return OccurrenceOverview(
                id: try id(name),
                phase: phase,
                due: PlanScene.moment(-300),
                unit: unit,
                counts: RequestCounts(unit, isAwaited: isAwaited),
                repeated: repeated
            )
        }
        return [
            try sending("asked", .finished, [.unknown: 1, .accepted: 1]),
            try sending("done", .finished, [.accepted: 3, .rejected: 1], repeated: 2),
            try sending(
                "going",
                .underWay,
                [.accepted: 1_000, .intended: 2_000],
                released: 1_064,
                repeated: 1
            ),
            try sending("gone", .cancelled, [.cancelled: 4]),
            try sending("halted", .stopped, [.unknown: 1], to: topic, released: 1),
            try sending("held", .held(.mostlyDead), [.rejected: 1_000, .returned: 500]),
            OccurrenceOverview(
                id: try id("later"),
                phase: .scheduled,
                due: PlanScene.moment(10_800),
                unit: nil,
                counts: RequestCounts(),
                repeated: 0
            ),
        ]
    }

    static func id(_ name: String) throws -> OccurrenceID { try StoreFixtures.occurrence(name) }

    /// Returns as many problems as an occurrence has unknown requests.
    static func unknowns(
        _ occurrence: OccurrenceOverview,
        _ visit: (SendProblem) -> Bool
    ) throws(StateStoreError) {
        let isListed = if case .registrations = occurrence.unit?.target { true } else { false }
        for number in 0..<occurrence.counts.unknown {
            let fingerprint = isListed ? Fingerprint(high: UInt64(number), low: 0) : nil
            guard visit(SendProblem(fingerprint: fingerprint, reason: "503\u{1B}[2J")) else {
                return
            }
        }
    }
}
