import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct CommandContextTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test(arguments: [
        ["plan"], ["status"], ["validate"], ["explain", "0 7 * * *"], ["init", "new"],
    ])
    func `refuses an invalid HERALD_NOW`(command: [String]) async throws {
        let run = try await runHerald(
            command,
            in: project,
            variables: ["HERALD_NOW": "tomorrow"]
        )
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(
            run.err == """
                error: HERALD_NOW is not an RFC 3339 timestamp: `tomorrow`
                help: write a timestamp such as 2037-03-20T08:30:00Z

                """
        )
    }

    @Test func `HERALD_NOW replaces the clock`() async throws {
        let run = try await runHerald(
            ["status", "--json"],
            in: project,
            variables: ["HERALD_NOW": "2038-01-02T03:04:05Z"]
        )
        #expect(try run.json["now"] == "2038-01-02T03:04:05Z")
    }

    @Test func `an empty HERALD_NOW does not replace the clock`() async throws {
        let run = try await runHerald(
            ["status", "--json"],
            in: project,
            variables: ["HERALD_NOW": ""]
        )
        #expect(try run.json["now"] == "2037-03-20T08:30:00Z")
    }

    @Test func `HERALD_ENV chooses the environment, and -e takes precedence`() async throws {
        let file =
            TemporaryFolder.projectFile + "  staging: { emulator: { url: 'http://[::1]:9' } }\n"
        try project.write("herald.yaml", file)
        let variables = ["HERALD_ENV": "staging"]
        let chosen = try await runHerald(["status", "--json"], in: project, variables: variables)
        #expect(try chosen.json["environment"] == "staging")
        let given = try await runHerald(
            ["status", "--json", "-e", "local"],
            in: project,
            variables: variables
        )
        #expect(try given.json["environment"] == "local")
    }

    @Test func `names the environments if HERALD_ENV is not one of them`() async throws {
        let run = try await runHerald(["plan"], in: project, variables: ["HERALD_ENV": "loca"])
        #expect(run.code == 64)
        #expect(run.err == "error: there is no environment `loca`\nhelp: did you mean `local`?\n")
    }

    @Test func `colours the output of a terminal, unless NO_COLOR is set`() async throws {
        let plain = try await runHerald(["plan"], in: project, columns: 80)
        #expect(!plain.out.contains("\u{1B}"))
        let coloured = try await runHerald(
            ["plan"],
            in: project,
            variables: ["NO_COLOR": ""],
            columns: 80
        )
        #expect(coloured.out.contains("\u{1B}[1m"))
        let file = try await runHerald(["plan"], in: project, variables: ["NO_COLOR": ""])
        #expect(!file.out.contains("\u{1B}"))
    }

    @Test func `folds an error at the width of the terminal, and not in a file`() async throws {
        let command = ["send", "hello", "--to", "ana:APA91b-1"]
        let terminal = try await runHerald(command, in: project, columns: 80)
        let file = try await runHerald(command, in: project)
        #expect(terminal.code == 64)
        #expect(terminal.err.longestLine <= 80)
        #expect(file.err.split(separator: "\n").count == 2)
        #expect(file.err.longestLine > 80)
    }
}
