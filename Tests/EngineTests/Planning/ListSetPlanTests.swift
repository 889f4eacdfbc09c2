import CampaignModel
import JSON
import Presentation
import RegistrationLists
import State
import Testing
import Time

@testable import Planning

/// Plans for sets of lists.
struct ListSetPlanTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func part(_ name: String, _ numbers: [Int]) throws -> ListSet.Part {
        let list = RegistrationList.inline(try numbers.map(scene.registration))
        return ListSet.Part(AudienceID(name), list: list)
    }

    /// The union of 0 and 1, and 1 and 2, without the given registrations.
    private func crew(without numbers: [Int]) throws -> RegistrationList {
        .set(
            ListSet(
                of: [try part("anglers", [0, 1]), try part("sailors", [1, 2])],
                except: [try part("staff", numbers)]
            )
        )
    }

    private func campaign(
        to list: RegistrationList,
        audience: String = "crew",
        excluding excluded: [String] = []
    ) throws -> Campaign {
        Campaign(
            id: try #require(CampaignID("sale")),
            about: nil,
            owner: nil,
            target: .registrations(list),
            audience: AudienceID(audience),
            excluded: try excluded.map { try #require(AudienceID($0)) },
            content: MessageContent(fields: ["notification": ["title": "Hello"]]),
            delivery: .unspecified,
            schedule: .at(PlanScene.moment(3_600))
        )
    }

    private func text(_ plan: Plan) -> String {
        let zones = TimeZoneDatabase.system(environment: [:])
        return PlanTextView(style: TextStyle(useColor: false)).render(plan, zones: zones)
            .split(separator: /\s+/).joined(separator: " ")
    }

    @Test func `a campaign to a set is sent to the rows of the set`() async throws {
        let plan = try await scene.plan([try campaign(to: crew(without: [2, 7]))])
        #expect(plan.campaigns[0].audience == .list(name: "crew", count: 2, people: nil))
        let composition = try #require(plan.campaigns[0].composition)
        #expect(composition.parts.map(\.name) == ["anglers", "sailors"])
        #expect(composition.dropped == ListComposition.Dropped(repeated: 1, excluded: 1))
        #expect(
            text(plan).contains(
                "The list is the union of anglers and sailors, except staff, compared by "
                    + "registration: 2 + 2 − 1 in both − 1 of staff = 2 registrations."
            )
        )
    }

    @Test func `a list that excludes nothing new still changes the digest`() async throws {
        let plan = try await scene.plan([try campaign(to: crew(without: [7]))])
        let other = try await scene.plan([try campaign(to: crew(without: [8]))])
        #expect(plan.reviewed != other.reviewed)
        try await scene.remember(plan)
        let same = try await scene.plan([try campaign(to: crew(without: [7]))])
        #expect(same.campaigns.map(\.step) == [.unchanged])
        let changed = try await scene.plan([try campaign(to: crew(without: [8]))])
        #expect(changed.campaigns[0].changes.map(\.path) == ["list.id"])
    }

    @Test func `exclude is part of the definition`() async throws {
        let anglers = try part("anglers", [0, 1])
        let rest = RegistrationList.set(ListSet(of: [anglers], except: [try part("staff", [1])]))
        try await scene.remember(
            try await scene.plan([try campaign(to: anglers.list, audience: "anglers")])
        )
        let plan = try await scene.plan([
            try campaign(to: rest, audience: "anglers", excluding: ["staff"])
        ])
        #expect(
            plan.campaigns[0].changes.map(\.path) == ["exclude", "list.count", "list.id"]
        )
        #expect(plan.campaigns[0].changes[0].after == "staff")
        #expect(text(plan).contains("1 registration of anglers without staff"))
        #expect(
            text(plan).contains(
                "The list is anglers, except staff, compared by registration: "
                    + "2 − 1 of staff = 1 registration."
            )
        )
    }

    @Test func `a set of installation IDs is sent and joined as such`() async throws {
        let parts = try ["ana", "bo"].enumerated().map { number, name in
            let text = "registration\ncSECRET-installation-\(number)\n"
            try scene.write(text, to: "\(name).csv")
            let file = RegistrationFile(
                path: "\(name).csv",
                format: .csv,
                kind: .fid,
                column: "registration",
                identity: nil,
                reading: .atApply
            )
            return ListSet.Part(AudienceID(name), list: .described(file))
        }
        let list = RegistrationList.set(ListSet(of: parts))
        let audience = try scene.audience(list)
        let plan = try await scene.plan([try campaign(to: list)], audiences: [audience])
        #expect(list.kind == .fid)
        #expect(plan.memberships.map(\.transport) == [.perRegistration])
        #expect(plan.memberships.map(\.joins.count) == [2])
    }

    @Test func `the members of a set are joined`() async throws {
        let audience = Audience(
            id: try #require(AudienceID("crew")),
            about: nil,
            list: try crew(without: [2]),
            subscribe: [try scene.topic()]
        )
        let plan = try await scene.plan(audiences: [audience])
        #expect(plan.memberships.map(\.joins) == [try scene.fingerprints(0, 1)])
        #expect(plan.memberships.first?.composition?.count == 2)
        #expect(text(plan).contains("2 + 2 − 1 in both − 1 of staff = 2 registrations"))
    }
}
