import Diagnostics
import TestSupport
import Testing
import Text

/// Tests the findings of a very large project.
struct ManyCampaignsTests {
    @Test func `two thousand campaigns to ten topics cause a limited number of findings`() {
        let documents = (0..<2_000).map { number in
            TogetherFiles.campaign(
                "c\(number)",
                "{ topic: t\(number % 10) }",
                "notification: { title: T }",
                "delivery: { ttl: 4h }"
            )
        }
        let topics = (0..<10).map { "t\($0): {}" }.joined(separator: ", ")
        let files = TogetherFiles.files(
            documents,
            project: "version: 1\nproject: p\ntopics: { \(topics) }"
        )
        #expect(files.findings.count == 30)
        let replaced = Array(files.diagnostics(of: .notificationReplaced).map(\.help).joined())
        #expect(replaced.contains("1980 more campaigns have the same problem"))
        #expect(files.diagnostics(of: .collapsibleBurst).count == 10)
        #expect(files.diagnostics(of: .tooManyCollapseKeys).count == 10)
    }

    /// The 10,000th minute of the year is 22:39 on 7 January.
    @Test(arguments: [("2037-01-07 22:39", true), ("2037-01-07 22:40", false)])
    func `ten thousand due times of a campaign are checked`(moment: String, isFound: Bool) {
        let every = TogetherFiles.campaign(
            "every",
            "{ topic: beta }",
            "notification: { title: T }",
            "schedule: { cron: \"* * * * *\" }",
            "delivery: { ttl: 1s }"
        )
        let once = TogetherFiles.campaign(
            "once",
            "{ topic: beta }",
            "notification: { title: T }",
            "schedule: { at: \"\(moment)\" }",
            "delivery: { ttl: 61s }"
        )
        let found = TogetherFiles.files([every, once]).findings(of: .notificationReplaced)
        #expect(found.count == (isFound ? 1 : 0))
    }
}
