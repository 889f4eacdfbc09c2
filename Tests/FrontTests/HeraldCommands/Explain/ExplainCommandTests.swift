import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct ExplainCommandTests {
    let project: TemporaryFolder

    init() throws {
        project = try TemporaryFolder()
    }

    @Test func `lists the next due times of a schedule`() async throws {
        let run = try await runHerald(
            ["explain", "0 7 * * *", "--next", "2", "--format", "json"],
            in: project
        )
        #expect(run.code == 0)
        let due = try #require(try run.json.arrayValue).compactMap { $0["moment"]?.stringValue }
        #expect(due == ["2037-03-21T07:00:00Z", "2037-03-22T07:00:00Z"])
    }

    @Test func `marks the error in an expression`() async throws {
        let run = try await runHerald(["explain", "0 7 * *"], in: project)
        #expect(run.code == 65)
        #expect(
            run.err == """
                error: a cron expression has five fields, not 4
                  0 7 * *
                         ^
                help: write minute, hour, day of month, month, day of week: `30 7 * * MON`

                """
        )
    }

    @Test func `explains an error code of FCM`() async throws {
        let run = try await runHerald(["explain", "unregistered"], in: project)
        #expect(run.code == 0)
        #expect(run.out.hasPrefix("UNREGISTERED"))
    }

    @Test func `suggests the nearest rule`() async throws {
        let run = try await runHerald(["explain", "unknown-topik"], in: project)
        #expect(run.code == 65)
        #expect(
            run.err == """
                error: `unknown-topik` is not a rule, a known FCM error code or an expression
                help: did you mean `unknown-topic`?

                """
        )
    }

    @Test func `explains only one schedule at a time`() async throws {
        let run = try await runHerald(["explain", "0 7 * * *", "0 8 * * *"], in: project)
        #expect(run.code == 64)
        #expect(run.err.hasPrefix("error: 2 expressions are given, but not all are conditions\n"))
    }
}
