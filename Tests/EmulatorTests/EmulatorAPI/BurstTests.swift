import DeliveryModel
import FoundationEssentials
import Glibc
import JSON
import Testing

@testable import EmulatorAPI

/// Tests of sends that are written together.
struct BurstTests {
    private static func request(
        _ method: String,
        _ target: String,
        _ body: String = ""
    ) -> EmulatorRequest {
        EmulatorRequest(
            method: method,
            target: target,
            authorization: "Bearer owner",
            body: Array(body.utf8)
        )
    }

    private static let seeding = request(
        "POST",
        "/emulator/v1/devices",
        #"[{"name":"pixel","platform":"android","registration":"pixel"}]"#
    )

    private static let send = request(
        "POST",
        "/v1/projects/tidewatch/messages:send",
        #"{"message":{"token":"pixel","data":{"title":"High"}}}"#
    )

    private static func received(_ core: inout EmulatorCore) -> Int? {
        let inbox = core.handle(request("GET", "/emulator/v1/devices/pixel/inbox"))
        return JSONValue(parsing: inbox.bytes)?["received"]?.arrayValue?.count
    }

    @Test func `sends are in the log only after a settle call`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/requests.ndjson"
        var core = EmulatorCore(log: try RequestLog.reopened(at: path) { _ in }) {
            DeliveryMoment(milliseconds: 0)
        }
        _ = core.handle(Self.seeding)
        let lines = { try Data(contentsOf: URL(filePath: path)).count { $0 == 0x0A } }
        let answers = (0..<50).map { _ in core.take(Self.send) }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map { String(decoding: $0.bytes, as: UTF8.self) }).count == 50)
        #expect(try lines() == 1)
        let lost = core.settle()
        #expect(lost?.tickets == nil)
        #expect(try lines() == 51)
        let received = Self.received(&core)
        #expect(received == 50)
    }

    @Test func `a query in between sees earlier sends after they are written`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/requests.ndjson"
        var core = EmulatorCore(log: try RequestLog.reopened(at: path) { _ in }) {
            DeliveryMoment(milliseconds: 0)
        }
        _ = core.handle(Self.seeding)
        _ = core.take(Self.send)
        let inbox = core.take(Self.request("GET", "/emulator/v1/devices/pixel/inbox"))
        #expect(
            JSONValue(parsing: inbox.bytes)?["received"]?.arrayValue?.count == 1
        )
        #expect(try Data(contentsOf: URL(filePath: path)).count { $0 == 0x0A } == 2)
    }

    @Test func `sends are undone if they cannot be written`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/requests.ndjson"
        let file = open(path, O_RDWR | O_APPEND | O_CREAT, 0o600)
        try #require(file >= 0)
        var core = EmulatorCore(log: RequestLog(descriptor: file)) {
            DeliveryMoment(milliseconds: 0)
        }
        _ = core.handle(Self.seeding)
        let early = core.take(Self.send)
        let nothing = core.settle()
        #expect(nothing?.tickets == nil)
        // The file is read-only from here on.
        let readable = open(path, O_RDONLY)
        try #require(readable >= 0 && dup2(readable, file) == file)
        close(readable)
        let late = [core.take(Self.send), core.take(Self.send)]
        let settled = core.settle()
        let lost = try #require(settled)
        #expect(lost.replacing(early).status == 200)
        #expect(late.map { lost.replacing($0).status } == [500, 500])
        let received = Self.received(&core)
        #expect(received == 1)
        let next = core.handle(Self.send)
        #expect(next.status == 500)
        let unchanged = Self.received(&core)
        #expect(unchanged == 1)
    }
}
