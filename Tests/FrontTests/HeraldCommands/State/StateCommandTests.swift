import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct StateCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `init creates a state and writes its lineage into herald.yaml`() async throws {
        let first = try await runHerald(["state", "init"], in: project)
        #expect(first.code == 0)
        let line = try #require(first.out.split(separator: "\n").first)
        let lineage = String(line.split(separator: " ")[4].prefix(32))
        #expect(line == "State of local: lineage \(lineage), serial 0, created.")
        let second = try await runHerald(["state", "init"], in: project)
        #expect(second.code == 0)
        #expect(second.out.hasSuffix("herald.yaml names it already.\n"))
        #expect(
            try await runHerald(["status", "--json"], in: project).json["state"]?["lineage"]
                == .string(lineage)
        )
    }

    @Test func `list and show name what was applied`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let list = try await runHerald(["state", "list"], in: project)
        #expect(list.code == 0)
        #expect(list.out.contains("hello"))
        let show = try await runHerald(["state", "show", "hello"], in: project)
        #expect(show.code == 0)
        #expect(show.out.contains("hello/once/1"))
    }

    @Test func `show refuses an unknown name`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(["state", "show", "nothing"], in: project)
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: the state contains no campaign or audience `nothing`
                help: `herald state list` lists its contents

                """
        )
    }

    @Test func `refuses a state of another lineage than herald.yaml names`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let file =
            TemporaryFolder.projectFile
            + "    state: { lineage: '00000000000000000000000000000000' }\n"
        try project.write("herald.yaml", file)
        let server = FakeServer()
        let run = try await runHerald(["apply", "--yes"], in: project, server: server)
        #expect(run.code == 1)
        #expect(run.err.contains("lineage"))
        #expect(server.requests.isEmpty)
    }
}
