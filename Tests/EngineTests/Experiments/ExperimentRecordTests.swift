import CampaignModel
import State
import Testing

struct ExperimentRecordTests {
    private func design(holdOut: String, weights: [Int]) throws -> ExperimentDesign {
        ExperimentDesign(
            project: try #require(ProjectID("tides")),
            name: "sale",
            holdOut: try #require(Percentage(holdOut)),
            globalHoldOut: .none,
            variants: try weights.enumerated().map { number, weight in
                .init(id: try #require(Identifier<Variant>("v\(number)")), weight: weight)
            }
        )
    }

    @Test func `divides by weights what the hold-out leaves`() throws {
        let record = ExperimentRecord(try design(holdOut: "20%", weights: [1, 3]))
        let total = Double(record.arms.reduce(0) { $0 + $1.weight })
        #expect(record.arms.map { Double($0.weight) / total } == [0.2, 0.2, 0.6])
        #expect(record.arms.map(\.kind) == [.heldOut, .variant("v0"), .variant("v1")])
    }

    @Test func `finds arms by the values of the column`() throws {
        let variants = ExperimentRecord(try design(holdOut: "20%", weights: [1, 3]))
        #expect(["-", "v1", "v0"].map { variants.number(ofColumn: $0) } == [0, 2, 1])
        #expect(variants.number(ofColumn: "v9") == ExperimentRecord.noArm)
        // Without variants, the column may contain locales.
        let own = ExperimentRecord(try design(holdOut: "20%", weights: []))
        #expect(["-", "", "pt"].map { own.number(ofColumn: $0) } == [0, 1, 1])
    }
}
