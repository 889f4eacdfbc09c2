import CampaignModel
import FCMWire
import JSON
import State
import Testing
import Time

enum StoreFixtures {
    static let worker = Worker(
        command: "apply",
        user: "ada",
        host: "desk",
        processID: 4_711,
        since: Instant(secondsSince1970: 1_800_000_000)
    )

    /// A worker with all optional properties.
    static let tellingWorker = Worker(
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
        bypasses: ["--dangerous-clock"]
    )

    static let due = Instant(secondsSince1970: 1_800_003_600)

    static func occurrence(_ campaign: String, revision: Int = 1) throws -> OccurrenceID {
        OccurrenceID(
            campaign: try #require(CampaignID(campaign)),
            slot: .once,
            revision: revision
        )
    }

    static func definition(_ campaign: String, title: String) throws -> CampaignDefinition {
        CampaignDefinition(
            campaign: try #require(CampaignID(campaign)),
            content: [
                "title": .string(title), "ttl": 3_600, "parts": [1, .number(2.5), true, .null],
            ]
        )
    }

    static func scope(_ audience: String, _ topic: String) throws -> MembershipScope {
        MembershipScope(
            audience: try #require(AudienceID(audience)),
            topic: try #require(Topic(topic))
        )
    }

    static func registrations(_ range: Range<Int>) throws -> [Registration] {
        try range.map { try #require(Registration("SECRET:device-\($0)")) }
    }

    /// Returns members whose fingerprints are not in the order of their numbers and use all bits of
    /// both halves.
    static func members(_ range: Range<Int>) throws -> [Member] {
        try zip(range, registrations(range)).map { number, registration in
            let mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
            return Member(
                fingerprint: Fingerprint(high: mixed, low: ~mixed),
                registration: registration
            )
        }
    }

    static func results(
        _ members: some Sequence<Member>,
        _ verdict: MembershipResult.Verdict = .done
    ) -> [MembershipResult] {
        members.map { MembershipResult(fingerprint: $0.fingerprint, verdict: verdict) }
    }

    static func tally(_ counts: [Outcome: Int]) -> OutcomeTally {
        counts.reduce(into: OutcomeTally()) { $0[$1.key] = $1.value }
    }

    /// Opens an occurrence for a topic with any number of requests, because outcomes need no list.
    @discardableResult
    static func openedUnit(
        _ store: any StateStore,
        campaign: String = "sale",
        count: Int
    ) throws -> WorkUnitRecord {
        let opened = OpenedOccurrence(
            id: try occurrence(campaign),
            due: due,
            message: ["topic": "news"],
            target: .topic(try #require(Topic("news"))),
            count: count
        )
        return try store.open(opened, in: try store.beginRun(worker))
    }

    static func unit(
        of campaign: String,
        in store: any StateStore
    ) throws -> WorkUnitRecord {
        try #require(try store.appliedState().occurrences[occurrence(campaign)]?.unit)
    }
}

extension StateStore {
    /// Completes a join at an arbitrary time.
    func finishJoin(
        _ results: [MembershipResult],
        in scope: MembershipScope
    ) throws(StateStoreError) {
        try finishJoin(results, in: scope, at: StoreFixtures.due)
    }
}

/// The SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators"): the same seed gives the same numbers everywhere.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
