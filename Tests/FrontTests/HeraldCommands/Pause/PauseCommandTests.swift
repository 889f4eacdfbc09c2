import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct PauseCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `an apply sends nothing until the pause is lifted`() async throws {
        #expect(try await runHerald(["pause"], in: project).code == 0)
        let paused = FakeServer()
        let refused = try await runHerald(["apply", "--yes"], in: project, server: paused)
        #expect(refused.code == 3)
        #expect(paused.requests.isEmpty)
        #expect(try await runHerald(["resume"], in: project).code == 0)
        let resumed = FakeServer()
        #expect(try await runHerald(["apply", "--yes"], in: project, server: resumed).code == 0)
        #expect(resumed.messages.count == 1)
    }

    @Test(arguments: [[], ["--quiet"]])
    func `an apply of a paused campaign says why it exits with 3`(options: [String]) async throws {
        _ = try await runHerald(["pause", "hello"], in: project)
        let run = try await runHerald(["apply", "--yes"] + options, in: project)
        #expect(run.code == 3)
        #expect(run.out.isEmpty == !options.isEmpty)
        #expect(
            run.err == "Not everything was done: 1 paused send (lift the pause with "
                + "`herald resume hello`). Details: `herald status`.\n"
        )
    }

    @Test func `a paused campaign appears in the status`() async throws {
        let run = try await runHerald(["pause", "hello"], in: project)
        #expect(run.code == 0)
        let status = try await runHerald(["status", "--json"], in: project).json
        let pause = try #require(status["pauses"]?.arrayValue?.first)
        #expect(pause["campaign"] == "hello")
        #expect(pause["user"] == "ines")
        #expect(pause["since"] == "2037-03-20T08:30:00Z")
    }

    @Test func `refuses a campaign that does not exist`() async throws {
        let run = try await runHerald(["pause", "helo"], in: project)
        #expect(run.code == 64)
        #expect(run.err.hasSuffix("help: did you mean `hello`?\n"))
    }
}
