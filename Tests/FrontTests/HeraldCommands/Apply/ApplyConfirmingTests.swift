import TestSupport
import Testing

@testable import HeraldCommands

struct ApplyConfirmingTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `sends after the user enters yes`() async throws {
        let server = FakeServer()
        let run = try await runHerald(
            ["apply"],
            in: project,
            input: .terminal(["yes"]),
            server: server
        )
        #expect(run.code == 0)
        #expect(
            run.err.hasPrefix(
                "Destination: local, project ID shop, emulator at http://127.0.0.1:9, "
                    + "not protected\nApply this to local? Enter `yes` to continue: "
            )
        )
        #expect(server.messages.count == 1)
    }

    @Test(arguments: [["no"], ["y"], ["YES"], [""], []])
    func `sends nothing after another answer or Ctrl-D`(answers: [String]) async throws {
        let server = FakeServer()
        let run = try await runHerald(
            ["apply"],
            in: project,
            input: .terminal(answers),
            server: server
        )
        #expect(run.code == 1)
        #expect(run.err.hasSuffix("continue: error: not applied\n"))
        #expect(server.requests.isEmpty)
    }

    @Test func `does not take the answer from a pipe`() async throws {
        let server = FakeServer()
        let run = try await runHerald(
            ["apply"],
            in: project,
            input: .pipe(["yes"]),
            server: server
        )
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: cannot ask for confirmation: standard input is not a terminal
                help: give --yes to apply without confirmation

                """
        )
        #expect(server.requests.isEmpty)
    }

    @Test func `does not ask if --no-input is given`() async throws {
        let run = try await runHerald(
            ["apply", "--no-input"],
            in: project,
            input: .terminal(["yes"])
        )
        #expect(run.code == 64)
        #expect(run.err.hasPrefix("error: cannot ask for confirmation: --no-input is given\n"))
    }

    @Test func `asks for the name of a protected environment`() async throws {
        try project.write("herald.yaml", TemporaryFolder.projectFile + "    protected: true\n")
        let wrong = FakeServer()
        let refused = try await runHerald(
            ["apply"],
            in: project,
            input: .terminal(["yes"]),
            server: wrong
        )
        #expect(refused.code == 1)
        #expect(
            refused.err.hasPrefix(
                "Destination: local, project ID shop, emulator at http://127.0.0.1:9, protected\n"
                    + "local is protected. Type its name to apply this: "
            )
        )
        #expect(wrong.requests.isEmpty)
        let right = FakeServer()
        let applied = try await runHerald(
            ["apply"],
            in: project,
            input: .terminal(["local"]),
            server: right
        )
        #expect(applied.code == 0)
        #expect(right.messages.count == 1)
    }
}
