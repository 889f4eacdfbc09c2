import CampaignModel
import State
import StoreConformance
import Testing

@testable import Planning

/// Predictions of plans with a cap of one message a day.
struct CapForecastTests {
    private let scene: PlanScene

    init() throws {
        scene = try PlanScene()
    }

    private func campaign(_ name: String, exempt: Bool = false) throws -> Campaign {
        let list = try scene.inline(1, 2, 3)
        return try scene.campaign(name, to: .registrations(list)).cap(exempt: exempt)
    }

    @Test func `later sends of a plan find the earlier ones`() async throws {
        let plan = try await scene.plan(
            [campaign("first"), campaign("second")],
            guards: .capped(day: 1)
        )
        let decision = try #require(plan.caps.decisions[scene.id("second")])
        #expect(decision == CapDecision(capped: [0, 1, 2], people: 3, cappedPeople: 3))
        #expect(
            plan.notices.contains(.capped(try scene.id("second"), people: 3, of: 3))
        )
        #expect(plan.caps.decisions[try scene.id("first")]?.capped == [])
    }

    @Test func `sends that a service makes are predicted, too`() async throws {
        let plan = try await scene.plan(
            [campaign("first"), campaign("second")],
            guards: .capped(day: 1),
            sends: .run
        )
        #expect(plan.sends.isEmpty)
        #expect(plan.caps.decisions[try scene.id("first")]?.capped == [])
        #expect(
            plan.notices.contains(.capped(try scene.id("second"), people: 3, of: 3))
        )
    }

    @Test func `an exempt send is not predicted, but counts`() async throws {
        let plan = try await scene.plan(
            [campaign("a", exempt: true), campaign("b"), campaign("c", exempt: true)],
            guards: .capped(day: 1)
        )
        #expect(plan.caps.decisions.keys.map(\.campaign.rawValue) == ["b"])
        #expect(plan.caps.decisions[try scene.id("b")]?.cappedPeople == 3)
        let exempt = plan.notices.filter { if case .exemptFromCap = $0 { true } else { false } }
        #expect(
            exempt == [
                .exemptFromCap(try scene.id("a").campaign, reason: "Storms."),
                .exemptFromCap(try scene.id("c").campaign, reason: "Storms."),
            ]
        )
    }

    @Test func `a send to a topic counts for managed members, and the plan names them`()
        async throws
    {
        try await scene.join(1, 2)
        let plan = try await scene.plan(
            [try scene.campaign("a"), campaign("b")],
            audiences: [try scene.audience(scene.inline(1, 2))],
            guards: .capped(day: 1)
        )
        #expect(plan.notices.contains(.countedFanOut(try scene.id("a"), members: 2)))
        #expect(plan.caps.decisions[try scene.id("b")]?.capped == [0, 1])
    }

    @Test func `the prediction is not part of the digest`() async throws {
        let campaigns = [try campaign("first"), try campaign("second")]
        let plan = try await scene.plan(campaigns, guards: .capped(day: 1))
        let other = try await scene.plan(campaigns, guards: .capped(day: 9))
        #expect(plan.caps != other.caps)
        #expect(plan.digest.hash == other.digest.hash)
    }

    @Test func `an environment without a cap counts nothing`() async throws {
        let plan = try await scene.plan([campaign("first"), campaign("second")])
        #expect(plan.caps == .none)
        #expect(plan.sends.allSatisfy { $0.caps == nil })
        #expect(plan.people.lists.isEmpty)
    }
}

extension GuardBasis {
    /// Only a cap.
    static func capped(day: Int? = nil, week: Int? = nil) -> GuardBasis {
        GuardBasis(
            limits: Guards(
                maximumRecipients: nil,
                maximumChange: nil,
                quietHours: nil,
                cap: FrequencyCap(day: day, week: week),
                requiresReviewedPlan: false,
                maximumSends: nil,
                allowsTest: false
            )
        )
    }
}

extension Campaign {
    /// The campaign, exempt from the cap or not.
    func cap(exempt: Bool) -> Campaign {
        following(
            SendingPolicy(
                onUnknown: nil,
                rollout: nil,
                acknowledgement: nil,
                holdOut: nil,
                reasonAboveCap: exempt ? "Storms." : nil
            )
        )
    }
}
