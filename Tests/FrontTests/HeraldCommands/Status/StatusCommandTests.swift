import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct StatusCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `reports that there is no state`() async throws {
        let text = try await runHerald(["status"], in: project)
        #expect(text.code == 0)
        #expect(text.out == "There is no state of local yet: nothing was applied.\n")
        let json = try await runHerald(["status", "--format", "json"], in: project)
        #expect(try json.json["state"] == .null)
    }

    @Test func `shows unknown requests and how to resolve them`() async throws {
        let server = FakeServer { _ in .failure(.lost) }
        _ = try await runHerald(["apply", "--yes"], in: project, server: server)
        let run = try await runHerald(["status"], in: project, columns: 80)
        #expect(run.code == 0)
        #expect(run.out.contains("hello/once/1"))
        #expect(run.out.contains("1 unknown"))
        #expect(run.out.contains("herald resolve hello/once/1 sent|resend|drop"))
        #expect(run.out.longestLine <= 80)
    }

    @Test func `needs a project`() async throws {
        let empty = try TemporaryFolder()
        let run = try await runHerald(["status"], in: empty)
        #expect(run.code == 1)
        #expect(
            run.err == """
                error: there is no herald.yaml here
                help: run herald in the project directory, or name it with -C DIR

                """
        )
    }

    @Test func `needs a project file that is valid`() async throws {
        try project.write("herald.yaml", "version: 1\nproject: [\n")
        let run = try await runHerald(["status"], in: project)
        #expect(run.code == 65)
        #expect(
            run.err == "error: herald.yaml is invalid\nhelp: run `herald validate` to see why\n"
        )
    }

    @Test func `names the campaign that an unknown name resembles`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(["status", "helo"], in: project)
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: there is no campaign `helo` in the files or in the state
                help: did you mean `hello`?

                """
        )
    }
}
