import CampaignModel
import RegistrationLists
import Testing

@Suite struct RolloutBoundsTests {
    private func rollout(_ stages: [String], canary: String? = nil) -> Rollout {
        Rollout(
            canary: canary.flatMap { AudienceID($0) },
            stages: stages.compactMap { Threshold($0) },
            pause: 0,
            stopWhen: .init(rejected: nil, unknown: nil)
        )
    }

    private func places(_ count: Int) throws -> [RolloutPlace] {
        let points = SubjectPoints(
            project: try #require(ProjectID("tidewatch")),
            experiment: Rollout.experimentName(of: try #require(CampaignID("catch-log")))
        )
        return (0..<count).map { .point(points.point(of: "person-\($0)")) }
    }

    private func stages(of rollout: Rollout, at places: [RolloutPlace]) -> [Int] {
        let points = places.compactMap { if case .point(let point) = $0 { point } else { nil } }
        let bounds = RolloutBounds(of: rollout, points: points)
        return places.map(bounds.stage(of:))
    }

    @Test func `another stage moves no one past a stage that they were in`() throws {
        let places = try places(20_000)
        let before = stages(of: rollout(["1%", "10%"]), at: places)
        let after = stages(of: rollout(["1%", "5%", "10%"]), at: places)
        for (old, new) in zip(before, after) {
            #expect(old == 0 ? new == 0 : old == 1 ? (1...2).contains(new) : new == 3)
        }
        #expect((150...250).contains(before.count { $0 == 0 }))
    }

    @Test func `a number of recipients is exact`() throws {
        let places = try places(5_000)
        let found = stages(of: rollout(["7", "100", "100%"]), at: places)
        #expect(found.count { $0 == 0 } == 7)
        #expect(found.count { $0 == 1 } == 93)
        #expect(found.count { $0 == 2 } == 4_900)
    }

    @Test func `the canary comes first and the stages after it`() throws {
        let places = try [.canary] + places(100)
        let found = stages(of: rollout(["50%"], canary: "staff"), at: places)
        #expect(found[0] == 0)
        #expect(Set(found.dropFirst()) == [1, 2])
    }

    @Test(arguments: [RolloutPlace.canary, .point(0), .point(.max), .point(0x0123_4567_89AB_CDEF)])
    func `a place survives being stored`(place: RolloutPlace) {
        #expect(RolloutPlace(stored: place.stored) == place)
    }
}
