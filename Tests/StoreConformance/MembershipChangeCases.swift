import CampaignModel
import State
import Testing

/// Cases about many changes of the same members, which a store may merge.
extension StoreCases {
    static let membershipChangeCases = [
        StoreCase("the newest of many changes counts") { state in
            let store = try await state.open()
            var model = MembershipModel(seed: 1, scope: try StoreFixtures.scope("all", "news"))
            for step in 0..<700 {
                try await model.change(store)
                if step % 100 == 99 { try await model.compare(with: store) }
            }
            try await model.compare(with: try await state.open())
        },
        StoreCase("the parts of a membership contain all of its members once") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            try await store.beginJoin(StoreFixtures.members(0..<3_000), in: scope)
            let all = try await store.memberships(in: scope)
            #expect(all.count == 3_000)
            for size in [1, 100, 2_999, 3_000] {
                var members: [Membership] = []
                for part in FingerprintPart.parts(of: 3_000, dividedBy: size) {
                    let found = try await store.records(in: scope, part: part).members()
                    #expect(found.allSatisfy { part.contains($0.fingerprint) })
                    members += found
                }
                #expect(members == all)
            }
        },
        StoreCase("a result without a member has no effect") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<3)
            try await store.beginJoin(Array(members[..<1]), in: scope)
            try await store.finishJoin(StoreFixtures.results(members), in: scope)
            try await store.finishLeave(StoreFixtures.results(members[2...]), in: scope)
            #expect(
                try await store.memberships(in: scope)
                    == [Membership(fingerprint: members[0].fingerprint, status: .joined)]
            )
            #expect(try await store.appliedState().memberships.map(\.count) == [1])
            #expect(try await store.beginLeave([members[1].fingerprint], in: scope) == [])
        },
        StoreCase("of equal members in one call, the last one counts") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<2)
            let renewed = Member(
                fingerprint: members[0].fingerprint,
                registration: members[1].registration
            )
            try await store.beginJoin([members[0], renewed], in: scope)
            #expect(
                try await store.recordedMembers(in: scope, after: nil, limit: 9)
                    == [RecordedMember(member: renewed, status: .joining)]
            )
        },
        StoreCase("keeps registrations of any length and with any characters") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let texts =
                [":", "a", "a:", ":a", "::", "a/b", "-_", "~!#$%&()*+<=>?@[]^`{|}"]
                + [1, 2, 3, 4, 5, 255, 256, 257, 4_096].flatMap { count in
                    ["x", "."].map { String(repeating: $0, count: count) }
                } + [String(repeating: "x", count: 300) + ":y"]
            let members = try Set(texts).sorted().enumerated().map { number, text in
                Member(
                    fingerprint: Fingerprint(high: UInt64(number), low: 0),
                    registration: try #require(Registration(text))
                )
            }
            try await store.beginJoin(members.reversed(), in: scope)
            let recorded = try await store.recordedMembers(in: scope, after: nil, limit: 99)
            #expect(recorded.map(\.member) == members)
        },
    ]
}

/// The members of one scope after random changes, which a store must have, too.
private struct MembershipModel {
    private struct Entry {
        var registration: Registration
        var status: MembershipStatus
    }

    private let scope: MembershipScope
    private var generator: SeededGenerator
    private var members: [Fingerprint: Entry] = [:]

    init(seed: UInt64, scope: MembershipScope) {
        generator = SeededGenerator(seed: seed)
        self.scope = scope
    }

    mutating func change(_ store: any MembershipBook) async throws {
        let first = Int.random(in: 0..<80, using: &generator)
        let some = try StoreFixtures.members(first..<first + 20).shuffled(using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            let status = MembershipStatus.allCases.randomElement(using: &generator) ?? .joined
            try await store.record(some, as: status, in: scope)
            for member in some {
                members[member.fingerprint] = Entry(
                    registration: member.registration,
                    status: status
                )
            }
        case 1:
            try await store.finishJoin(StoreFixtures.results(some), in: scope)
            for member in some { members[member.fingerprint]?.status = .joined }
        case 2:
            let known = some.filter { members[$0.fingerprint] != nil }
            #expect(try await store.beginLeave(some.map(\.fingerprint), in: scope) == known)
            for member in some { members[member.fingerprint]?.status = .leaving }
        default:
            try await store.finishLeave(StoreFixtures.results(some), in: scope)
            for member in some { members[member.fingerprint] = nil }
        }
    }

    func compare(with store: any StateStore) async throws {
        let wanted = members.sorted { $0.key < $1.key }.map { fingerprint, entry in
            RecordedMember(
                member: Member(fingerprint: fingerprint, registration: entry.registration),
                status: entry.status
            )
        }
        #expect(try await store.recordedMembers(in: scope, after: nil, limit: .max) == wanted)
        let counts = members.values.reduce(into: [MembershipStatus: Int]()) {
            $0[$1.status, default: 0] += 1
        }
        let summaries = try await store.membershipOverview().summaries
        #expect((summaries.first?.counts ?? [:]) == counts)
    }
}
