import FoundationEssentials
import JSON
import TestSupport
import Testing

@testable import HeraldCommands

/// Calendars at 2037-03-20T08:30:00Z, a Friday.
struct CalendarCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try .newsProject()
    }

    @Test func `shows what was sent today`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(["calendar", "--to", "2037-03-20"], in: project, columns: 80)
        #expect(run.code == 0)
        #expect(run.err == "")
        #expect(
            run.out == """
                Calendar of local of shop
                2037-03-20 to 2037-03-20; days and times in UTC

                Fri 2037-03-20, today
                  topic news
                    08:30  hello  sent: 1 accepted

                """
        )
    }

    @Test func `covers four weeks from today`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(["calendar", "--json"], in: project)
        #expect(try run.json["from"] == "2037-03-20")
        #expect(try run.json["to"] == "2037-04-16")
    }

    @Test func `reports that nothing was applied`() async throws {
        let run = try await runHerald(["calendar"], in: project)
        #expect(run.code == 1)
        #expect(run.out == "")
        #expect(
            run.err == """
                error: there is no state at \(project.path)/.herald/local.sqlite
                help: run `herald apply` first, or give the state's file with --state

                """
        )
    }

    @Test func `refuses a period that ends before it begins`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let arguments = ["calendar", "--from", "2037-03-21", "--to", "2037-03-20"]
        let run = try await runHerald(arguments, in: project)
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: the last day 2037-03-20 is before the first day 2037-03-21
                help: give a later day with --to, or an earlier one with --from

                """
        )
    }

    @Test func `writes into a file`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let arguments = ["calendar", "--format", "ics"]
        let shown = try await runHerald(arguments, in: project)
        #expect(shown.out.hasPrefix("BEGIN:VCALENDAR\r\n"))
        let path = project.path + "/herald.ics"
        let written = try await runHerald(arguments + ["--out", path], in: project)
        #expect(written.out == "")
        #expect(written.err == "Wrote \(path).\n")
        let content = try Data(contentsOf: URL(filePath: path))
        #expect(String(decoding: content, as: UTF8.self) == shown.out)
    }
}
