import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct ResolveCommandTests {
    let project: TemporaryFolder

    /// A project with one request of unknown outcome.
    init() async throws {
        project = try .newsProject()
        let server = FakeServer { _ in .failure(.lost) }
        _ = try await runHerald(["apply", "--yes"], in: project, server: server)
    }

    @Test func `counts unknown requests as accepted`() async throws {
        let run = try await runHerald(["resolve", "hello", "sent", "--yes"], in: project)
        #expect(run.code == 0)
        #expect(
            run.out.hasSuffix("Resolved hello/once/1: 1 request counted as accepted.\n")
        )
        #expect(try await count("accepted") == 1)
        #expect(try await count("unknown") == 0)
    }

    @Test func `sends again with the next apply after resend`() async throws {
        let run = try await runHerald(["resolve", "hello", "resend", "--yes"], in: project)
        #expect(run.code == 0)
        #expect(run.out.hasSuffix("1 request to be sent again: run `herald apply`.\n"))
        let server = FakeServer()
        #expect(try await runHerald(["apply", "--yes"], in: project, server: server).code == 0)
        #expect(server.messages.count == 1)
    }

    @Test func `changes nothing unless the user enters yes`() async throws {
        for answers in [["no"], []] {
            let run = try await runHerald(
                ["resolve", "hello", "drop"],
                in: project,
                input: .terminal(answers)
            )
            #expect(run.code == 1)
            #expect(
                run.err == """
                    Destination: local, project ID shop, emulator at http://127.0.0.1:9, not protected
                    Enter `yes` to continue: error: nothing was changed

                    """
            )
            #expect(try await count("unknown") == 1)
        }
        let run = try await runHerald(
            ["resolve", "hello", "drop"],
            in: project,
            input: .terminal(["yes"])
        )
        #expect(run.code == 0)
        #expect(try await count("unknown") == 0)
    }

    @Test func `suggests the occurrence that an unknown name resembles`() async throws {
        let run = try await runHerald(["resolve", "hello/once/2", "sent", "--yes"], in: project)
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: there is no occurrence `hello/once/2`
                help: did you mean `hello/once/1`?

                """
        )
    }

    @Test func `refuses an occurrence without unknown outcomes`() async throws {
        _ = try await runHerald(["resolve", "hello", "sent", "--yes"], in: project)
        let run = try await runHerald(["resolve", "hello/once/1", "sent", "--yes"], in: project)
        #expect(run.code == 1)
        #expect(run.err == "error: hello/once/1 has no unknown outcomes\n")
    }

    private func count(_ name: String) async throws -> JSONValue? {
        let status = try await runHerald(["status", "--all", "--json"], in: project).json
        return status["occurrences"]?.arrayValue?.first?["counts"]?[name]
    }
}
