import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct PreviewCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
        try project.write(
            "campaigns/hello.yaml",
            """
            campaign: hello
            extends: news-desk
            audience: { topic: news }
            message: { notification: { body: World } }

            """
        )
        try project.write("campaigns/messages.yaml", Self.messages(title: "Hello"))
    }

    private static func messages(title: String) -> String {
        """
        messages:
          news-desk:
            notification: { title: \(title) }
            delivery: { ttl: 4h }

        """
    }

    @Test func `names the shared message that sets a field`() async throws {
        let arguments = ["preview", "hello", "--platform", "android"]
        let run = try await runHerald(arguments + ["--format", "json"], in: project)
        #expect(run.code == 0)
        let platform = try run.json["platforms"]?["android"]
        let fields = try #require(platform?["fields"]?.arrayValue)
        let origins = fields.reduce(into: [String: String]()) { origins, field in
            origins[field["field"]?.stringValue ?? ""] = field["origin"]?.stringValue
        }
        #expect(origins["notification.title"] == "messages.news-desk.notification.title")
        #expect(origins["notification.body"] == "notification.body")
        #expect(origins["android.ttl"] == "messages.news-desk.delivery.ttl")
        let text = try await runHerald(arguments, in: project)
        #expect(text.out.contains("  messages.news-desk.delivery.ttl\n"))
    }

    @Test func `the digest is that of the same campaign without extends`() async throws {
        let extended = try await runHerald(["plan", "--json"], in: project).json["digest"]
        try project.write(
            "campaigns/hello.yaml",
            """
            campaign: hello
            audience: { topic: news }
            message: { notification: { title: Hello, body: World } }
            delivery: { ttl: 4h }

            """
        )
        let plain = try await runHerald(["plan", "--json"], in: project).json["digest"]
        #expect(extended != nil && extended == plain)
    }

    @Test func `a changed shared message changes the digest of the plan`() async throws {
        let before = try await runHerald(["plan", "--json"], in: project).json["digest"]
        try project.write("campaigns/messages.yaml", Self.messages(title: "Good morning"))
        let after = try await runHerald(["plan", "--json"], in: project).json["digest"]
        #expect(before != nil && after != nil && before != after)
    }
}
