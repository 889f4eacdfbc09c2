package import CampaignModel
import FCMWire
import JSON
package import State
import Testing
package import Time

package enum StoreFixtures {
    package static let worker = Worker(
        command: "apply",
        user: "ada",
        host: "desk",
        processID: 4_711,
        since: Instant(secondsSince1970: 1_800_000_000)
    )

    /// A worker with all optional properties.
    package static let tellingWorker = Worker(
        command: "apply",
        user: "ada",
        host: "desk",
        processID: 4_712,
        since: Instant(secondsSince1970: 1_800_000_001),
        origin: RunOrigin(
            commit: "0123456789abcdef0123456789abcdef01234567",
            isDirty: true,
            ciRun: "GitHub 4711",
            ciActor: "ada-l"
        ),
        digest: "89abcdef0123456789abcdef0123456789abcdef",
        bypasses: ["--dangerous-clock"],
        approvals: [RecordedApproval(principal: "ana@example.com", key: "SHA256:abc")]
    )

    package static let due = Instant(secondsSince1970: 1_800_003_600)

    package static func occurrence(_ campaign: String, revision: Int = 1) throws -> OccurrenceID {
        OccurrenceID(
            campaign: try #require(CampaignID(campaign)),
            slot: .once,
            revision: revision
        )
    }

    package static func definition(_ campaign: String, title: String) throws -> CampaignDefinition {
        CampaignDefinition(
            campaign: try #require(CampaignID(campaign)),
            content: [
                "title": .string(title), "ttl": 3_600, "parts": [1, .number(2.5), true, .null],
            ]
        )
    }

    package static func scope(_ audience: String, _ topic: String) throws -> MembershipScope {
        MembershipScope(
            audience: try #require(AudienceID(audience)),
            topic: try #require(Topic(topic))
        )
    }

    package static func registrations(_ range: Range<Int>) throws -> [Registration] {
        try range.map { try #require(Registration("SECRET:device-\($0)")) }
    }

    /// Returns members whose fingerprints are not in the order of their numbers and use all bits of
    /// both halves.
    package static func members(_ range: Range<Int>) throws -> [Member] {
        try zip(range, registrations(range)).map { number, registration in
            let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            return Member(
                fingerprint: Fingerprint(high: mixed, low: ~mixed),
                registration: registration
            )
        }
    }

    package static func results(
        _ members: some Sequence<Member>,
        _ verdict: MembershipResult.Verdict = .done
    ) -> [MembershipResult] {
        members.map { MembershipResult(fingerprint: $0.fingerprint, verdict: verdict) }
    }

    package static func tally(_ counts: [Outcome: Int]) -> OutcomeTally {
        counts.reduce(into: OutcomeTally()) { $0[$1.key] = $1.value }
    }

    /// Opens an occurrence for a topic with any number of requests, because outcomes need no list.
    @discardableResult
    package static func openedUnit(
        _ store: any Ledger & HistoryStore,
        campaign: String = "sale",
        count: Int
    ) async throws -> WorkUnitRecord {
        let opened = OpenedOccurrence(
            id: try occurrence(campaign),
            due: due,
            message: ["topic": "news"],
            target: .topic(try #require(Topic("news"))),
            count: count
        )
        return try await store.open(opened, in: try await store.beginRun(worker))
    }

    package static func unit(
        of campaign: String,
        in store: any StateReader
    ) async throws -> WorkUnitRecord {
        try #require(try await store.occurrence(occurrence(campaign))?.unit)
    }
}

extension MembershipBook {
    /// Completes a join at an arbitrary time.
    package func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) async throws(StateStoreError) {
        try await finishJoin(results, in: scope, at: StoreFixtures.due)
    }

    /// The members among these, with their registrations, in the order of the fingerprints.
    package func members(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) async throws(StateStoreError) -> [Member] {
        let recorded = try await recordedMembers(in: scope, after: nil, limit: .max)
        let members = Dictionary(
            uniqueKeysWithValues: recorded.map { ($0.member.fingerprint, $0.member) }
        )
        return fingerprints.compactMap { members[$0] }
    }
}

/// The SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators"): the same seed gives the same numbers everywhere.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Ledger {
    /// Stores a list in parts of at most 1,000 rows.
    package func store(
        _ rows: [RegistrationRow],
        shape: ListShape,
        as list: ListID
    ) async throws(StateStoreError) {
        let draft = draftList(shape)
        for first in stride(from: 0, to: rows.count, by: PackedRows.maximumCount) {
            let part = rows[first..<min(first + PackedRows.maximumCount, rows.count)]
            draft.append([PackedRows(part, columns: shape.columns.count)])
        }
        try await draft.keep(as: list)
    }

    /// Stores a list without columns.
    package func store(
        _ registrations: [Registration],
        as list: ListID
    ) async throws(StateStoreError) {
        try await store(
            registrations.map { RegistrationRow($0) },
            shape: ListShape(),
            as: list
        )
    }
}
