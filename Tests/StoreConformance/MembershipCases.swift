import CampaignModel
import State
import Testing
import Time

extension StoreCases {
    static let membershipCases = [
        StoreCase("stores, changes and removes a device group") { state in
            let store = try await state.open()
            let (crew, family) = (try group("crew"), try group("family"))
            let members = try StoreFixtures.members(0..<3).map(\.fingerprint)
            #expect(try await store.deviceGroups() == [])
            let first = DeviceGroupRecord(name: family, members: Set(members), isWhole: true)
            try await store.record(first, of: family)
            let second = DeviceGroupRecord(name: crew, members: [members[2]], isWhole: false)
            try await store.record(second, of: crew)
            #expect(try await state.open().deviceGroups() == [second, first])
            let changed = DeviceGroupRecord(name: family, members: [members[0]], isWhole: true)
            try await store.record(changed, of: family)
            #expect(try await store.deviceGroups() == [second, changed])
            try await store.record(nil, of: crew)
            #expect(try await state.open().deviceGroups() == [changed])
        },
        StoreCase("stores the transport of memberships, which is initially unset") { state in
            let store = try await state.open()
            #expect(try await store.membershipTransport() == nil)
            try await store.remember(.perRegistration)
            #expect(try await state.open().membershipTransport() == .perRegistration)
        },
        StoreCase("members join, are refused, leave and are removed") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<4)
            try await store.beginJoin(members, in: scope)
            #expect(
                try await store.memberships(in: scope)
                    == sorted(members, [.joining, .joining, .joining, .joining])
            )
            try await store.finishJoin(StoreFixtures.results(members[..<2]), in: scope)
            try await store.finishJoin(
                StoreFixtures.results(members[2..<3], .refused("NOT_FOUND")),
                in: scope
            )
            #expect(
                try await store.memberships(in: scope)
                    == sorted(members, [.joined, .joined, .refused, .joining])
            )
            _ = try await store.beginLeave([0, 2].map { members[$0].fingerprint }, in: scope)
            #expect(
                try await store.memberships(in: scope)
                    == sorted(members, [.leaving, .joined, .leaving, .joining])
            )
            try await store.finishLeave(StoreFixtures.results(members[..<1]), in: scope)
            try await store.finishLeave(
                StoreFixtures.results(members[2..<3], .refused("NOT_FOUND")),
                in: scope
            )
            let left = [members[1], members[3]]
            #expect(
                try await state.open().memberships(in: scope) == sorted(left, [.joined, .joining])
            )
        },
        StoreCase("sorts members by all 128 bits of their fingerprints") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let ends: [UInt64] = [0, 1, 255, 256, 1 << 63, .max]
            let prints = ends.flatMap { high in
                ends.map { Fingerprint(high: high, low: $0) }
            }
            let registration = try #require(StoreFixtures.registrations(0..<1).first)
            try await store.beginJoin(
                prints.reversed().map { Member(fingerprint: $0, registration: registration) },
                in: scope
            )
            #expect(try await store.memberships(in: scope).map(\.fingerprint) == prints)
        },
        StoreCase("returns members in the requested order, each with its registration") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<50)
            try await store.beginJoin(members, in: scope)
            let wanted = [members[40], members[3], members[17]]
            #expect(try await store.members(wanted.map(\.fingerprint), in: scope) == wanted)
            let other = try StoreFixtures.scope("all", "sport")
            #expect(try await store.members(wanted.map(\.fingerprint), in: other).isEmpty)
        },
        StoreCase("a member that joins again has its newest registration") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<2)
            try await store.beginJoin(members, in: scope)
            try await store.finishJoin(StoreFixtures.results(members), in: scope)
            let renewed = Member(
                fingerprint: members[0].fingerprint,
                registration: members[1].registration
            )
            try await store.beginJoin([renewed], in: scope)
            #expect(try await store.members([renewed.fingerprint], in: scope) == [renewed])
            #expect(try await store.memberships(in: scope) == sorted(members, [.joining, .joined]))
            #expect(try await store.appliedState().memberships.map(\.count) == [2])
        },
        StoreCase("summaries count the members of each scope that has members") {
            state in
            let store = try await state.open()
            let members = try StoreFixtures.members(0..<10)
            let news = try StoreFixtures.scope("all", "news")
            let sport = try StoreFixtures.scope("some", "sport")
            try await store.beginJoin(members, in: news)
            try await store.beginJoin(Array(members[..<3]), in: sport)
            try await store.finishJoin(
                StoreFixtures.results(members[..<1], .refused("NOT_FOUND")),
                in: news
            )
            let summaries = try await Set(store.appliedState().memberships)
            #expect(
                summaries == [
                    MembershipSummary(
                        audience: news.audience,
                        topic: news.topic,
                        counts: [.joining: 9, .refused: 1]
                    ),
                    MembershipSummary(
                        audience: sport.audience,
                        topic: sport.topic,
                        counts: [.joining: 3]
                    ),
                ]
            )
            // Twice, as in a retry: removed members must not be counted again.
            for _ in 0..<2 {
                try await store.finishLeave(StoreFixtures.results(members[..<3]), in: sport)
            }
            try await store.finishLeave(StoreFixtures.results(members[..<4]), in: news)
            let left = try await store.appliedState().memberships
            #expect(
                left == [
                    MembershipSummary(
                        audience: news.audience,
                        topic: news.topic,
                        counts: [.joining: 6]
                    )
                ]
            )
        },
        StoreCase("summaries count by status and follow every status change") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<12)
            let counts = { @Sendable () async throws -> [MembershipStatus: Int] in
                try await state.open().appliedState().memberships.first?.counts ?? [:]
            }
            try await store.record(Array(members[..<5]), as: .joining, in: scope)
            try await store.record(Array(members[5..<9]), as: .external, in: scope)
            try await store.record(Array(members[9...]), as: .optedOut, in: scope)
            #expect(try await counts() == [.joining: 5, .external: 4, .optedOut: 3])
            try await store.finishJoin(StoreFixtures.results(members[..<4]), in: scope)
            try await store.finishJoin(
                StoreFixtures.results(members[4..<5], .refused("X")),
                in: scope
            )
            try await store.record(Array(members[9..<10]), as: .external, in: scope)
            #expect(try await counts() == [.joined: 4, .refused: 1, .external: 5, .optedOut: 2])
            _ = try await store.beginLeave(members[..<2].map(\.fingerprint), in: scope)
            try await store.finishLeave(StoreFixtures.results(members[5..<9]), in: scope)
            #expect(
                try await counts() == [
                    .joined: 2, .leaving: 2, .refused: 1, .external: 1, .optedOut: 2,
                ]
            )
        },
        StoreCase("members are recorded with a status that replaces the previous one") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<3)
            try await store.beginJoin(members, in: scope)
            try await store.finishJoin(
                StoreFixtures.results(members[..<1], .refused("X")),
                in: scope
            )
            try await store.record(Array(members[..<2]), as: .optedOut, in: scope)
            #expect(
                try await store.memberships(in: scope)
                    == sorted(members, [.optedOut, .optedOut, .joining])
            )
            try await store.record(Array(members[1...]), as: .external, in: scope)
            #expect(
                try await state.open().memberships(in: scope)
                    == sorted(members, [.optedOut, .external, .external])
            )
            #expect(try await store.members([members[1].fingerprint], in: scope) == [members[1]])
        },
        StoreCase("returns a topic's statuses of all audiences and of no other topic") {
            state in
            let store = try await state.open()
            let members = try StoreFixtures.members(0..<5)
            let prints = members.map(\.fingerprint)
            let (one, two) = (
                try StoreFixtures.scope("one", "news"), try StoreFixtures.scope("two", "news")
            )
            try await store.record(Array(members[..<2]), as: .joined, in: one)
            try await store.record(Array(members[1..<3]), as: .external, in: two)
            try await store.record(
                [members[4]],
                as: .joined,
                in: StoreFixtures.scope("one", "sport")
            )
            #expect(
                try await store.standings(of: Array(prints[1...]), in: one.topic)
                    == MembershipStandings([
                        prints[1]: [.joined, .external], prints[2]: [.external],
                    ])
            )
            #expect(try await store.standings(of: [], in: one.topic).isEmpty)
        },
        StoreCase("reads members in chunks, each with its registration and status") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<7)
            try await store.record(Array(members[..<3]), as: .external, in: scope)
            try await store.record(Array(members[3...]), as: .joined, in: scope)
            let sorted = members.enumerated()
                .map { RecordedMember(member: $1, status: $0 < 3 ? .external : .joined) }
                .sorted { $0.member.fingerprint < $1.member.fingerprint }
            var read: [[RecordedMember]] = []
            repeat {
                let last = read.last?.last?.member.fingerprint
                read.append(try await store.recordedMembers(in: scope, after: last, limit: 3))
            } while read.last?.isEmpty == false
            #expect(read == [Array(sorted[..<3]), Array(sorted[3..<6]), Array(sorted[6...]), []])
            let other = try StoreFixtures.scope("all", "sport")
            #expect(try await store.recordedMembers(in: other, after: nil, limit: 3).isEmpty)
        },
        StoreCase("stores the last join of a topic, even if it has no members left") { state in
            let store = try await state.open()
            let members = try StoreFixtures.members(0..<2)
            let news = try StoreFixtures.scope("all", "news")
            let more = try StoreFixtures.scope("more", "news")
            let (early, late) = (
                StoreFixtures.due, StoreFixtures.due.advanced(bySeconds: 40)
            )
            try await store.beginJoin(members, in: news)
            #expect(try await store.appliedState().lastJoins.isEmpty)
            try await store.finishJoin(
                StoreFixtures.results(members[..<1], .refused("X")),
                in: news,
                at: late
            )
            #expect(try await store.appliedState().lastJoins.isEmpty)
            try await store.finishJoin(StoreFixtures.results(members[1...]), in: news, at: early)
            #expect(try await store.appliedState().lastJoins == [news.topic: early])
            try await store.beginJoin(members, in: more)
            try await store.finishJoin(StoreFixtures.results(members), in: more, at: late)
            try await store.finishLeave(StoreFixtures.results(members), in: more)
            #expect(try await state.open().appliedState().lastJoins == [news.topic: late])
        },
        StoreCase("10,000 members join in one batch and leave in another") { state in
            let store = try await state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<10_000)
            try await store.beginJoin(members, in: scope)
            try await store.finishJoin(StoreFixtures.results(members), in: scope)
            let prints = members.map(\.fingerprint)
            let joined = prints.sorted().map { Membership(fingerprint: $0, status: .joined) }
            #expect(try await store.memberships(in: scope) == joined)
            #expect(try await store.members(prints, in: scope) == members)
            try await store.finishLeave(StoreFixtures.results(members), in: scope)
            #expect(try await store.memberships(in: scope).isEmpty)
        },
    ]

    private static func group(_ name: String) throws -> DeviceGroupName {
        try #require(DeviceGroupName(name))
    }

    private static func sorted(
        _ members: [Member],
        _ statuses: [MembershipStatus]
    ) -> [Membership] {
        zip(members, statuses)
            .map { Membership(fingerprint: $0.fingerprint, status: $1) }
            .sorted { $0.fingerprint < $1.fingerprint }
    }
}
