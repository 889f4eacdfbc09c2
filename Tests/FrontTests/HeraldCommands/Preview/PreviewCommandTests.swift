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

    /// The numbers were computed with the function of `Documentation/Guide/Experiments.md` in Python.
    @Test(arguments: [[], ["--variant", "warm"]])
    func `shows the number of registrations of each arm`(options: [String]) async throws {
        let rows = (0..<40).map { "user-\($0 / 2),phone-\($0):APA91b-secret\n" }
        try project.write("readers.csv", "user,registration\n" + rows.joined())
        try project.write(
            "campaigns/hello.yaml",
            """
            campaign: hello
            audience: { registrations: { file: readers.csv, identity: user } }
            message: { notification: { title: Hello } }
            variants:
              plain: { weight: 1 }
              warm: { weight: 3, message: { notification: { title: Good morning } } }
            holdout: 20%

            """
        )
        let arguments = ["preview", "hello"] + options
        let text = try await runHerald(arguments, in: project)
        #expect(text.out.contains("Variants: 4 registrations get plain and 24 get warm."))
        #expect(
            text.out.contains("12 registrations are held out and receive nothing, for comparison.")
        )
        let arms = try await runHerald(arguments + ["--format", "json"], in: project).json["arms"]
        #expect(
            arms == [
                ["variant": "plain", "count": 4], ["variant": "warm", "count": 24],
                ["held_out": true, "count": 12],
            ]
        )
    }

    @Test func `a changed shared message changes the digest of the plan`() async throws {
        let before = try await runHerald(["plan", "--json"], in: project).json["digest"]
        try project.write("campaigns/messages.yaml", Self.messages(title: "Good morning"))
        let after = try await runHerald(["plan", "--json"], in: project).json["digest"]
        #expect(before != nil && after != nil && before != after)
    }
}
