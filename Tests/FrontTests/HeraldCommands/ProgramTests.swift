import ArgumentParser
import TestSupport
import Testing

@testable import HeraldCommands

struct ProgramTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `suggests the nearest command`() async throws {
        let run = try await runHerald(["plna"], in: project)
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(
            run.err == """
                Error: there is no command `plna`; did you mean `plan`?
                Usage: herald <subcommand>
                  See 'herald --help' for more information.

                """
        )
    }

    @Test func `commands without subcommands name the commands before them`() {
        let found = namedCommands(of: Herald.self, after: "")
        #expect(found.contains { $0.line == "herald validate" })
        #expect(found.contains { $0.line == "herald state list" })
        for (line, type) in found {
            let name = type._commandName
            #expect(type.configuration._superCommandName.map { "\($0) \(name)" } == line)
        }
    }

    @Test(arguments: [
        (["state", "list", "--format", "json"], StateListCommand.self as any ParsableCommand.Type),
        (["validate", "--fix"], ValidateCommand.self),
    ])
    func `parses with the named command alone`(
        words: [String],
        expected: any ParsableCommand.Type
    ) throws {
        let named = try #require(NamedCommand.find(in: words[...], of: Herald.self))
        #expect(ObjectIdentifier(named.type) == ObjectIdentifier(expected))
        let command = try named.type.parseAsRoot(Array(named.arguments))
        #expect(ObjectIdentifier(type(of: command)) == ObjectIdentifier(expected))
    }

    @Test(arguments: [[], ["-C", ".", "validate"], ["state"], ["help", "plan"], ["plna"]])
    func `finds no command that the first words do not name`(words: [String]) {
        #expect(NamedCommand.find(in: words[...], of: Herald.self) == nil)
    }

    private func namedCommands(
        of parent: any ParsableCommand.Type,
        after line: String
    ) -> [(line: String, type: any ParsableCommand.Type)] {
        let line = line + parent._commandName
        let commands = parent.configuration.subcommands
        return commands.isEmpty
            ? [(line, parent)] : commands.flatMap { namedCommands(of: $0, after: line + " ") }
    }

    @Test func `suggests the nearest subcommand`() async throws {
        let run = try await runHerald(["state", "lst"], in: project)
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(
            run.err == """
                Error: there is no command `lst`; did you mean `list`?
                Usage: herald state <subcommand>
                  See 'herald state --help' for more information.

                """
        )
    }

    @Test func `suggests nothing for a command that resembles no other`() async throws {
        let run = try await runHerald(["wxyz"], in: project)
        #expect(run.code == 64)
        #expect(run.err.hasPrefix("Error: there is no command `wxyz`\n"))
    }

    @Test func `reports an unknown option with the usage of its command`() async throws {
        let run = try await runHerald(["status", "--alll"], in: project)
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(run.err.hasPrefix("Error: Unknown option '--alll'. Did you mean '--all'?\n"))
        #expect(run.err.contains("\nUsage: herald status "))
    }

    @Test func `reports an option out of its range with the usage of its command`() async throws {
        let run = try await runHerald(["apply", "--parallelism", "0"], in: project)
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(
            run.err.hasPrefix("Error: --parallelism must be from 1 to 1000\nUsage: herald apply")
        )
    }

    @Test func `commands that read no files of a project offer no consents`() {
        let found = namedCommands(of: Herald.self, after: "")
            .filter { !$0.type.helpMessage(includeHidden: false, columns: 80).contains("--allow-") }
            .map { $0.line }
        #expect(
            Set(found) == [
                "herald init", "herald rules", "herald schema", "herald completions",
                "herald state grants", "herald emulator inboxes", "herald emulator messages",
                "herald emulator requests", "herald emulator wait", "herald emulator assert",
                "herald emulator send-upstream", "herald emulator make-key",
                "herald emulator make-phones",
            ]
        )
    }

    @Test func `refuses a consent that the command does not need`() async throws {
        let run = try await runHerald(["emulator", "wait", "--allow-commands"], in: project)
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(run.err.hasPrefix("Error: Unknown option '--allow-commands'"))
    }

    @Test func `writes help to the output, as wide as the terminal`() async throws {
        let narrow = try await runHerald(["plan", "--help"], in: project, columns: 80)
        let wide = try await runHerald(["plan", "--help"], in: project, columns: 160)
        for run in [narrow, wide] {
            #expect(run.code == 0)
            #expect(run.err == "")
            #expect(run.out.hasPrefix("OVERVIEW: Show what an apply would do. Sends nothing.\n"))
        }
        #expect(narrow.out.options.longestLine <= 80)
        #expect((81...160).contains(wide.out.options.longestLine))
    }

    @Test func `prints the version`() async throws {
        let run = try await runHerald(["--version"], in: project)
        #expect(run.code == 0)
        #expect(run.out.hasPrefix("herald 0.1.0"))
        #expect(run.err == "")
    }
}

extension String {
    /// The part of a help text that is folded, unlike the usage.
    fileprivate var options: String {
        split(separator: "\n").drop { $0 != "OPTIONS:" }.joined(separator: "\n")
    }

    /// The characters of the longest line.
    var longestLine: Int { split(separator: "\n").map(\.count).max() ?? 0 }
}
