import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct HistoryCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `lists each run with its author and its counts`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let list = try await runHerald(["history", "--format", "json"], in: project).json
        let run = try #require(list["runs"]?.arrayValue?.first)
        #expect(list["runs"]?.arrayValue?.count == 1)
        #expect(list["chain"]?["intact"] == true)
        #expect(run["command"] == "herald apply")
        #expect(run["user"] == "ines")
        #expect(run["began"] == "2037-03-20T08:30:00Z")
        #expect(run["counts"]?["accepted"] == 1)
    }

    @Test func `shows the occurrences of one run`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(["history", "1", "--json"], in: project).json["run"]
        let sending = try #require(run?["sendings"]?.arrayValue?.first)
        #expect(sending["occurrence"] == "hello/once/1")
        #expect(sending["message"] == "projects/shop/messages/1")
    }

    @Test func `refuses the number of a run that is not recorded`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(["history", "7"], in: project)
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(run.err.hasPrefix("error: there is no run 7\n"))
    }
}
