import CampaignModel
import CampaignState
import Testing

extension StoreConformance {
    static let membershipCases = [
        StoreCase("members join, are refused, leave and are gone") { state in
            let store = try state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<4)
            try store.beginJoin(members, in: scope)
            #expect(
                try store.memberships(in: scope)
                    == sorted(members, [.joining, .joining, .joining, .joining])
            )
            try store.finishJoin(StoreFixtures.results(members[..<2]), in: scope)
            try store.finishJoin(
                StoreFixtures.results(members[2..<3], .refused("NOT_FOUND")),
                in: scope
            )
            #expect(
                try store.memberships(in: scope)
                    == sorted(members, [.joined, .joined, .refused, .joining])
            )
            try store.beginLeave([0, 2].map { members[$0].fingerprint }, in: scope)
            #expect(
                try store.memberships(in: scope)
                    == sorted(members, [.leaving, .joined, .leaving, .joining])
            )
            try store.finishLeave(StoreFixtures.results(members[..<1]), in: scope)
            try store.finishLeave(
                StoreFixtures.results(members[2..<3], .refused("NOT_FOUND")),
                in: scope
            )
            let left = [members[1], members[3]]
            #expect(try state.open().memberships(in: scope) == sorted(left, [.joined, .joining]))
        },
        StoreCase("members are sorted by their fingerprints, all 128 bits of them") { state in
            let store = try state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let ends: [UInt64] = [0, 1, 255, 256, 1 << 63, .max]
            let prints = ends.flatMap { high in
                ends.map { Fingerprint(high: high, low: $0) }
            }
            let registration = try #require(StoreFixtures.registrations(0..<1).first)
            try store.beginJoin(
                prints.reversed().map { Member(fingerprint: $0, registration: registration) },
                in: scope
            )
            #expect(try store.memberships(in: scope).map(\.fingerprint) == prints)
        },
        StoreCase("members come in the order asked for, each with its registration") { state in
            let store = try state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<50)
            try store.beginJoin(members, in: scope)
            let wanted = [members[40], members[3], members[17]]
            #expect(try store.members(wanted.map(\.fingerprint), in: scope) == wanted)
            let other = try StoreFixtures.scope("all", "sport")
            #expect(try store.members(wanted.map(\.fingerprint), in: other).isEmpty)
        },
        StoreCase("who joins again has the newest registration") { state in
            let store = try state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<2)
            try store.beginJoin(members, in: scope)
            try store.finishJoin(StoreFixtures.results(members), in: scope)
            let renewed = Member(
                fingerprint: members[0].fingerprint,
                registration: members[1].registration
            )
            try store.beginJoin([renewed], in: scope)
            #expect(try store.members([renewed.fingerprint], in: scope) == [renewed])
            #expect(try store.memberships(in: scope) == sorted(members, [.joining, .joined]))
            #expect(try store.appliedState().memberships.map(\.count) == [2])
        },
        StoreCase("summaries count the members of each scope, and only of those with any") {
            state in
            let store = try state.open()
            let members = try StoreFixtures.members(0..<10)
            let news = try StoreFixtures.scope("all", "news")
            let sport = try StoreFixtures.scope("some", "sport")
            try store.beginJoin(members, in: news)
            try store.beginJoin(Array(members[..<3]), in: sport)
            try store.finishJoin(
                StoreFixtures.results(members[..<1], .refused("NOT_FOUND")),
                in: news
            )
            let summaries = try Set(store.appliedState().memberships)
            #expect(
                summaries == [
                    MembershipSummary(audience: news.audience, topic: news.topic, count: 10),
                    MembershipSummary(audience: sport.audience, topic: sport.topic, count: 3),
                ]
            )
            // Twice, as a retry does: what is gone is not counted off again.
            for _ in 0..<2 {
                try store.finishLeave(StoreFixtures.results(members[..<3]), in: sport)
            }
            try store.finishLeave(StoreFixtures.results(members[..<4]), in: news)
            let left = try store.appliedState().memberships
            #expect(
                left == [MembershipSummary(audience: news.audience, topic: news.topic, count: 6)]
            )
        },
        StoreCase("10,000 members join and leave in one batch each") { state in
            let store = try state.open()
            let scope = try StoreFixtures.scope("all", "news")
            let members = try StoreFixtures.members(0..<10_000)
            try store.beginJoin(members, in: scope)
            try store.finishJoin(StoreFixtures.results(members), in: scope)
            let prints = members.map(\.fingerprint)
            let joined = prints.sorted().map { Membership(fingerprint: $0, status: .joined) }
            #expect(try store.memberships(in: scope) == joined)
            #expect(try store.members(prints, in: scope) == members)
            try store.finishLeave(StoreFixtures.results(members), in: scope)
            #expect(try store.memberships(in: scope).isEmpty)
        },
    ]

    private static func sorted(
        _ members: [Member],
        _ statuses: [MembershipStatus]
    ) -> [Membership] {
        zip(members, statuses)
            .map { Membership(fingerprint: $0.fingerprint, status: $1) }
            .sorted { $0.fingerprint < $1.fingerprint }
    }
}
