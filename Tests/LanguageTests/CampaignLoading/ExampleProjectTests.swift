import CampaignLoading
import CampaignModel
import Diagnostics
import TestSupport
import Testing
import Text

struct ExampleProjectTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    @Test(arguments: [
        (
            "",
            [
                "note[topic-better-as-list] campaigns/beta-sync.yaml",
                "note[quarter-hour] campaigns/equinox-2037.yaml",
                "note[notification-replaced] campaigns/spring-tide-warning.yaml",
                "warning[reached-twice-at-once] campaigns/tide-alert.yaml",
            ]
        ),
        (
            "/Tests/Goldens/documents",
            [
                "note[notification-replaced] campaigns/about-messages.yaml",
                "note[notification-replaced] campaigns/about-messages.yaml",
                "note[tap-target-one-sided] campaigns/about-messages.yaml",
                "warning[apns-expiration-in-past] campaigns/about-messages.yaml",
                "note[notification-replaced] campaigns/conditions.yaml",
                "note[notification-replaced] campaigns/conditions.yaml",
                "note[topic-prefix] campaigns/topics.yaml",
                "note[notification-replaced] campaigns/topics.yaml",
            ]
        ),
    ])
    func `the repository's projects have no errors and few warnings`(
        folder: String,
        advice: [String]
    ) {
        let directory = Self.root + folder
        let loaded = ProjectLoader(zones: systemZones).load(directory: directory)
        let found = LoadedFiles.check(loaded, directory: directory)
        let words = found.map { diagnostic in
            let path = diagnostic.span.map { loaded.catalog[$0.source].path } ?? "nowhere"
            return "\(diagnostic.severity)[\(diagnostic.rule.rawValue)] \(path)"
        }
        #expect(words == advice)
        #expect(loaded.project?.campaigns.isEmpty == false)
    }
}
