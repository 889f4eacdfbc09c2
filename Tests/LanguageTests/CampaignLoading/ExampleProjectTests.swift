import CampaignLoading
import CampaignModel
import Diagnostics
import Testing

struct ExampleProjectTests {
    private static let root =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    @Test(arguments: [
        (
            "", []
        ),
        (
            "/Tests/Goldens/documents",
            [
                "note[tap-target-one-sided] campaigns/about-messages.yaml",
                "warning[apns-expiration-in-past] campaigns/about-messages.yaml",
                "note[topic-prefix] campaigns/topics.yaml",
            ]
        ),
    ])
    func `finds no error in the projects of this repository, and little advice`(
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
