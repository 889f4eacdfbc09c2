import CampaignModel
import Testing

struct StoredColumnTests {
    @Test func `a stored row has its values, its time, its place, its number and its key`() throws {
        let columns = MessageColumns(
            names: ["name"],
            defaults: [:],
            sizes: [],
            times: "at",
            rollout: RolloutColumns(
                project: try #require(ProjectID("tidewatch")),
                campaign: try #require(CampaignID("catch-log")),
                hasCanary: false
            ),
            covariate: "orders",
            isEncrypted: true
        )
        #expect(
            columns.storedNames
                == ["name", "{time}", "{rollout}", "{covariate}", "{public_key}"]
        )
        #expect(columns.readNames == ["name", "at", "orders"])
    }
}
