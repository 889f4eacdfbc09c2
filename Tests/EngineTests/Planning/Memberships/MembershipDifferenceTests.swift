import CampaignModel
import RegistrationLists
import State
import StoreConformance
import Testing

@testable import Planning

struct MembershipDifferenceTests {
    private func print(_ number: UInt64) -> Fingerprint { Fingerprint(high: number, low: 1) }

    private func prints(_ numbers: UInt64...) -> [Fingerprint] { numbers.map(print) }

    private func members(_ statuses: [UInt64: MembershipStatus]) -> [Membership] {
        statuses.map { Membership(fingerprint: print($0), status: $1) }
            .sorted { $0.fingerprint < $1.fingerprint }
    }

    private func rules(
        rejoins: Bool = false,
        leaves: Bool = true,
        dead: [Fingerprint] = [],
        kept: [Fingerprint] = [],
        elsewhere: [[Fingerprint]] = [],
        excluded: [Fingerprint] = [],
        optedOut: Set<Fingerprint> = []
    ) -> MembershipDifference.Rules {
        MembershipDifference.Rules(
            rejoins: rejoins,
            leaves: leaves,
            dead: DeadRegistrations(sorted: dead),
            kept: kept,
            wantedElsewhere: elsewhere,
            excluded: excluded,
            optedOut: optedOut
        )
    }

    @Test func `wanted registrations join and other members leave`() {
        let difference = MembershipDifference(
            from: members([1: .joined, 2: .joined, 4: .joined, 9: .joined]),
            to: prints(2, 3, 4, 5),
            rules: rules()
        )
        #expect(difference.joins == prints(3, 5))
        #expect(difference.leaves == prints(1, 9))
        #expect(difference.forgotten == [])
        #expect(difference.stayingCount(.joined) == 2)
    }

    @Test func `members whose messages say so leave, whichever audience wants them`() {
        let excluded = prints(1, 2, 3, 4, 5, 6, 7)
        for rejoins in [false, true] {
            let difference = MembershipDifference(
                from: members([
                    1: .joined, 2: .joining, 3: .external, 4: .optedOut, 5: .refused, 8: .joined,
                ]),
                to: prints(1, 2, 3, 4, 5, 6, 8),
                rules: rules(
                    rejoins: rejoins,
                    elsewhere: [prints(1, 7)],
                    excluded: excluded
                )
            )
            #expect(difference.leaves == prints(1, 2))
            #expect(difference.leftUpstream == 2)
            #expect(difference.joins == [] && difference.forgotten == [])
            #expect(difference.stayingCount(.joined) == 1)
        }
    }

    @Test func `a registration that opted out leaves a topic that Herald did not join it to`() {
        let difference = MembershipDifference(
            from: members([1: .external, 2: .external]),
            to: prints(1, 2),
            rules: rules(excluded: prints(1, 2), optedOut: [print(1)])
        )
        #expect(difference.leaves == prints(1))
        #expect(difference.leftUpstream == 1)
        #expect(difference.forgotten == [])
    }

    @Test func `equal members need nothing`() {
        let difference = MembershipDifference(
            from: members([1: .joined, 2: .refused, 3: .external, 4: .optedOut]),
            to: prints(1, 2, 3, 4),
            rules: rules()
        )
        #expect(difference.joins == [] && difference.leaves == [])
        #expect(difference.forgotten == [] && difference.noted == [])
        #expect(MembershipStatus.allCases.map(difference.stayingCount) == [0, 1, 0, 1, 1, 1])
    }

    @Test func `interrupted changes are repeated`() {
        let difference = MembershipDifference(
            from: members([1: .joining, 2: .leaving, 3: .joining, 4: .leaving]),
            to: prints(1, 2),
            rules: rules()
        )
        #expect(difference.joins == prints(1, 2))
        #expect(difference.leaves == prints(3, 4))
        #expect(difference.openLeaves == 1)
    }

    @Test func `joins opted-out members again only if the audience sets rejoin`() {
        let recorded = members([1: .optedOut])
        let again = rules(rejoins: true)
        #expect(MembershipDifference(from: recorded, to: prints(1), rules: rules()).joins == [])
        #expect(
            MembershipDifference(from: recorded, to: prints(1), rules: again).joins == prints(1)
        )
    }

    @Test func `dead registrations are counted, and kept ones are noted`() {
        let difference = MembershipDifference(
            from: [],
            to: prints(1, 2, 3),
            rules: rules(dead: prints(2), kept: prints(2, 3))
        )
        #expect(difference.joins == prints(1))
        #expect(difference.noted == prints(2, 3))
        #expect(difference.dead == 0)
        let dead = MembershipDifference(from: [], to: prints(2), rules: rules(dead: prints(2)))
        #expect(dead.dead == 1 && dead.joins == [])
    }

    @Test func `members that are not managed or wanted elsewhere are forgotten`() {
        let recorded = members([
            1: .external, 2: .optedOut, 3: .refused, 4: .joined, 5: .leaving, 6: .joining,
        ])
        let difference = MembershipDifference(
            from: recorded,
            to: [],
            rules: rules(elsewhere: [prints(4), prints(5)])
        )
        #expect(difference.forgotten == prints(1, 2, 3, 4, 5))
        #expect(difference.leaves == prints(6))
        #expect(difference.openLeaves == 0)
        let none = MembershipDifference(from: recorded, to: [], rules: rules(leaves: false))
        #expect(none.forgotten.count == 6 && none.leaves == [])
    }

    @Test(arguments: UInt64(1)...20)
    func `the differences of all parts are the difference`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let all = (0..<400).map { _ in Fingerprint(high: random.next(), low: random.next()) }
        let recorded = all.filter { _ in Bool.random(using: &random) }.sorted().map {
            Membership(
                fingerprint: $0,
                status: MembershipStatus.allCases.randomElement(using: &random) ?? .joined
            )
        }
        let list = all.filter { _ in Bool.random(using: &random) }
        let wanted = WantedMembers(ListFingerprints(list))
        let rules = rules(
            dead: all.prefix(30).sorted(),
            kept: all.dropFirst(20).prefix(30).sorted(),
            elsewhere: [all.suffix(100).sorted()]
        )
        let whole = MembershipDifference(from: recorded, to: list.sorted(), rules: rules)
        var parts = MembershipDifference()
        for part in FingerprintPart.parts(of: 400, dividedBy: 60) {
            parts.append(
                MembershipDifference(
                    from: recorded.filter { part.contains($0.fingerprint) },
                    to: wanted.sorted(in: part),
                    rules: rules
                )
            )
        }
        #expect(parts.joins == whole.joins)
        #expect(parts.leaves == whole.leaves)
        #expect(parts.forgotten == whole.forgotten)
        #expect(parts.noted == whole.noted)
        #expect(parts.dead == whole.dead)
        #expect(parts.openLeaves == whole.openLeaves)
        for status in MembershipStatus.allCases {
            #expect(parts.stayingCount(status) == whole.stayingCount(status))
        }
    }
}
