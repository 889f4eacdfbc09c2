import HTTPTransport
import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct ValidateCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `reports the number of campaigns if there is no problem`() async throws {
        let run = try await runHerald(["validate"], in: project)
        #expect(run.code == 0)
        #expect(run.out == "")
        #expect(run.err == "No problem found: 1 campaign, 0 audiences.\n")
    }

    @Test func `suggests the plan on a terminal only`() async throws {
        let run = try await runHerald(["validate"], in: project, columns: 120)
        #expect(
            run.err.hasPrefix("No problem found: 1 campaign, 0 audiences.\nNext: herald plan -C ")
        )
    }

    @Test func `exits with 65 and shows the place of an error`() async throws {
        try project.write("campaigns/hello.yaml", TemporaryFolder.campaign(to: "{ topic: nws }"))
        let run = try await runHerald(["validate"], in: project)
        #expect(run.code == 65)
        #expect(run.out.contains("error[unknown-topic]"))
        #expect(run.out.contains("--> campaigns/hello.yaml:2:20"))
        #expect(run.err == "")
    }

    @Test func `writes findings as JSON`() async throws {
        try project.write("campaigns/hello.yaml", TemporaryFolder.campaign(to: "{ topic: nws }"))
        let run = try await runHerald(["validate", "--format", "json"], in: project)
        #expect(run.code == 65)
        let findings = try #require(try run.json["findings"]?.arrayValue)
        #expect(findings.compactMap { $0["rule"]?.stringValue } == ["unknown-topic"])
    }

    @Test func `applies a safe fix and reports it`() async throws {
        let prefixed = TemporaryFolder.campaign(to: "{ topic: /topics/news }")
        try project.write("campaigns/hello.yaml", prefixed)
        let broken = try await runHerald(["validate"], in: project)
        #expect(broken.out.contains("/topics/news"))
        let fixed = try await runHerald(["validate", "--fix"], in: project)
        #expect(fixed.code == 0)
        #expect(fixed.err.hasPrefix("Fixed 1 finding in 1 file.\n"))
    }

    @Test func `names a path outside of the project`() async throws {
        let run = try await runHerald(["validate", "/no/such/file.yaml"], in: project)
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: there is no file or directory `/no/such/file.yaml` in the project
                help: use a path relative to the current directory, or to the one given with -C

                """
        )
    }

    @Test func `checks each message with FCM and sends none`() async throws {
        let server = FakeServer { _ in .rejected(status: 400, code: "INVALID_ARGUMENT") }
        let run = try await runHerald(["validate", "--online"], in: project, server: server)
        #expect(run.code == 65)
        #expect(server.messages.count == 1)
        #expect(server.requests.allSatisfy { $0.body.isRehearsal })
        #expect(server.isClosed)
    }
}

extension [UInt8] {
    /// Whether the request asks FCM to check the message only.
    fileprivate var isRehearsal: Bool {
        String(decoding: self, as: UTF8.self).contains("\"validate_only\":true")
    }
}
