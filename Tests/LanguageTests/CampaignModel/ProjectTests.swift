import CampaignModel
import Testing

struct ProjectTests {
    @Test func `keeps everything else when audiences are added`() throws {
        let name = try #require(CampaignID("sale"))
        let share = try #require(Percentage("5%"))
        let correction = Correction(
            id: try #require(CampaignID("sale-fix")),
            corrected: .last(of: name),
            message: .silent
        )
        let project = Project(
            id: try #require(ProjectID("shop")),
            timeZone: "Atlantic/Azores",
            globalHoldOut: share,
            recall: .silent,
            topics: [:],
            environments: [],
            campaigns: [],
            corrections: [correction],
            audiences: [try audience("staff")],
            devices: [],
            elsewhere: [name]
        )
        let larger = project.adding([try audience("answered")])
        #expect(larger.audiences.map(\.id.rawValue) == ["staff", "answered"])
        #expect(larger.corrections == [correction])
        #expect(larger.recall == .silent)
        #expect(larger.globalHoldOut == share)
        #expect(larger.timeZone == "Atlantic/Azores")
        #expect(larger.elsewhere == [name])
    }

    private func audience(_ name: String) throws -> Audience {
        Audience(
            id: try #require(AudienceID(name)),
            about: nil,
            list: .file(path: "\(name).txt"),
            subscribe: nil
        )
    }
}
