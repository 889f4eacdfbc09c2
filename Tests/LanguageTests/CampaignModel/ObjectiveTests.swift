import CampaignModel
import Testing

struct ObjectiveTests {
    @Test func `a share and a time are read and written`() throws {
        let objective = try #require(Objective("90% in 2m"))
        #expect(objective.share == Percentage("90%"))
        #expect(objective.seconds == 120)
        #expect(objective.description == "90% in 2m")
        #expect(Objective("99.5% in 90s")?.description == "99.5% in 1m30s")
        #expect(Objective("100% in 28d")?.seconds == 2_419_200)
    }

    @Test(arguments: [
        "", "90%", "2m", "90 in 2m", "120% in 2m", "0% in 2m", "90% in 0s", "90% in 0", "90% in 2",
        "90% in 28d1s", "90%  in 2m", "90% in  2m", "90% in 2m ", "90% in 2m in 3m", "90% IN 2m",
        "90% in 99999999999999999999d",
    ])
    func `other texts are refused`(text: String) {
        #expect(Objective(text) == nil)
    }

    @Test func `the share of a number is rounded up`() throws {
        let objective = try #require(Objective("90% in 2m"))
        #expect([0, 1, 9, 10, 11, 1_000].map(objective.target) == [0, 1, 9, 9, 10, 900])
        let all = try #require(Objective("100% in 1s"))
        #expect([0, 1, 7].map(all.target) == [0, 1, 7])
        let least = try #require(Objective("0.01% in 1s"))
        #expect([1, 10_000, 10_001].map(least.target) == [1, 1, 2])
    }
}
