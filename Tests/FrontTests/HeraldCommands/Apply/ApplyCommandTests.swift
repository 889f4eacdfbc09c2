import HTTPTransport
import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct ApplyCommandTests {
    let news: TemporaryFolder
    let list: TemporaryFolder

    init() throws {
        news = try .newsProject()
        list = try .listProject()
    }

    @Test func `sends the planned message once`() async throws {
        let server = FakeServer()
        let first = try await runHerald(["apply", "--yes"], in: news, server: server)
        #expect(first.code == 0)
        #expect(first.out.hasSuffix("\nApplied: 1 accepted.\n"))
        #expect(server.requests.map(\.url) == ["http://127.0.0.1:9/v1/projects/shop/messages:send"])
        #expect(server.messages.first?["topic"] == "news")
        #expect(server.messages.first?["notification"]?["title"] == "Hello")
        #expect(server.isClosed)
        let second = try await runHerald(["apply", "--yes"], in: news, server: server)
        #expect(second.code == 0)
        #expect(server.requests.count == 1)
    }

    @Test func `sends one request per registration of a list`() async throws {
        let server = FakeServer()
        let run = try await runHerald(["apply", "--yes"], in: list, server: server)
        #expect(run.code == 0)
        #expect(run.out.hasSuffix("\nApplied: 2 accepted.\n"))
        #expect(server.tokens == ["ana:APA91b-1", "bea:APA91b-2"])
    }

    @Test func `records a rejected request, and exits with 3`() async throws {
        let server = FakeServer { body in
            body["message"]?["token"] == "bea:APA91b-2"
                ? .rejected(status: 400, code: "INVALID_ARGUMENT") : .accepted
        }
        let run = try await runHerald(["apply", "--yes"], in: list, server: server)
        #expect(run.out.hasSuffix("Applied: 1 accepted, 1 rejected.\n"))
        #expect(!run.out.contains("bea:"))
        #expect(run.code == 3)
        #expect(
            run.err.hasSuffix(
                "Not everything was done: 1 rejected request. Details: `herald status`.\n"
            )
        )
        let occurrence = try await occurrence(in: list)
        #expect(occurrence["phase"] == "finished")
        #expect(occurrence["counts"]?["accepted"] == 1)
        #expect(occurrence["counts"]?["rejected"] == 1)
    }

    @Test func `exits with 3 if no recipient was reached`() async throws {
        let server = FakeServer { _ in .rejected(status: 404, code: "UNREGISTERED") }
        let run = try await runHerald(["apply", "--yes"], in: list, server: server)
        #expect(run.code == 3)
        #expect(run.out.contains("2 rejected"))
        let status = try await runHerald(["status", "--json"], in: list).json
        #expect(status["dead_registrations"] == 2)
    }

    @Test func `a request that met a full quota stays unsent after Ctrl-C`() async throws {
        let server = FakeServer { _ in .interrupted(status: 429, code: "QUOTA_EXCEEDED") }
        let run = try await runHerald(
            ["apply", "--yes", "--parallelism", "1"],
            in: news,
            server: server
        )
        #expect(run.code == 130)
        #expect(run.err.contains("Stopping: no new requests; waiting for open requests."))
        #expect(server.requests.count == 1)
        let counts = try await occurrence(in: news)["counts"]
        #expect(counts?["not_sent"] == 1)
        #expect(counts?["unknown"] == 0)
        let next = FakeServer()
        #expect(try await runHerald(["apply", "--yes"], in: news, server: next).code == 0)
        #expect(next.messages.count == 1)
    }

    @Test func `an unanswered request is unknown, and exits with 4`() async throws {
        let server = FakeServer { _ in .failure(.lost) }
        let run = try await runHerald(["apply", "--yes"], in: news, server: server)
        #expect(run.code == 4)
        #expect(try await occurrence(in: news)["counts"]?["unknown"] == 1)
        let again = FakeServer()
        let second = try await runHerald(["apply", "--yes"], in: news, server: again)
        #expect(second.code == 4)
        #expect(
            second.err
                == "Not everything was done: 1 stopped send. Details: `herald status`.\n"
        )
        #expect(again.requests.isEmpty)
    }

    @Test func `records nothing if the server is unreachable`() async throws {
        let refused = TransportError(fate: .notSent, reason: .refusedConnection, detail: "refused")
        let server = FakeServer(unreachable: refused)
        let run = try await runHerald(["apply", "--yes"], in: news, server: server)
        #expect(run.code == 1)
        #expect(
            run.err == """
                error: the server cannot be reached: refused
                help: start it, or choose another environment with -e; nothing was sent

                """
        )
        #expect(try await runHerald(["history"], in: news).out.contains("No run"))
    }

    @Test func `writes events as JSON lines, and the exit code last`() async throws {
        let run = try await runHerald(["apply", "--yes", "--json"], in: news)
        let events = run.out.split(separator: "\n").compactMap { JSONValue(parsing: String($0)) }
        let kinds = events.compactMap { $0["event"]?.stringValue }
        #expect(kinds.first == "plan")
        #expect(kinds.last == "result")
        #expect(events.last?["exit_code"] == 0)
        #expect(run.err.contains("Applied: 1 accepted."))
    }

    @Test func `a dry run validates the messages and records nothing`() async throws {
        let server = FakeServer()
        let run = try await runHerald(["apply", "--dry-run"], in: news, server: server)
        #expect(run.code == 0)
        #expect(run.err.hasSuffix("Dry run: FCM found no errors. Nothing was sent or recorded.\n"))
        #expect(server.requests.count == 1)
        let text = String(decoding: try #require(server.requests.first).body, as: UTF8.self)
        #expect(text.contains("\"validate_only\":true"))
        #expect(try await runHerald(["history"], in: news).out.contains("No run"))
    }

    @Test func `refuses a digest that is not of the current plan`() async throws {
        let server = FakeServer()
        let digest = String(repeating: "0", count: 40)
        let run = try await runHerald(["apply", "--expect", digest], in: news, server: server)
        #expect(run.code == 5)
        #expect(server.requests.isEmpty)
    }

    private func occurrence(in project: TemporaryFolder) async throws -> JSONValue {
        let status = try await runHerald(["status", "--json"], in: project).json
        let found = try #require(status["occurrences"]?.arrayValue)
        #expect(found.count == 1)
        return try #require(found.first)
    }
}

extension TransportError {
    /// The connection broke after the request was written.
    static let lost = TransportError(
        fate: .perhapsSent,
        reason: .lostConnection,
        detail: "the connection was closed"
    )
}
