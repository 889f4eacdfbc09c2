import DeliveryModel
import FoundationEssentials
import Glibc
import JSON
import Testing

@testable import EmulatorAPI

struct RequestLogTests {
    static let message = #"{"message":{"token":"pixel","data":{"a":"1"}}}"#

    @Test func `a request is recorded before its answer arrives`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            for number in 2...20 {
                let answer = try emulator.send(Self.message)
                let lines = try directory.logText().split(separator: "\n")
                #expect(lines.count == number)
                let line = try #require(lines.last.flatMap { JSONValue(parsing: String($0)) })
                #expect(line["seq"] == .integer(Int64(number)))
                #expect(line["method"] == "POST")
                #expect(line["path"] == "/v1/projects/tidewatch/messages:send")
                #expect(line["status"] == 200)
                #expect(line["body"] == JSONValue(parsing: Self.message))
                #expect(line["answer"] == answer.json)
                #expect(line["time"]?.stringValue.flatMap { DeliveryMoment(rfc3339: $0) } != nil)
            }
        }
    }

    @Test
    func `writes a multi-line body as one line and a non-JSON body as a string`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            _ = try emulator.send("{\r\n\"message\": {\n\"token\": \"pixel\"}}\n")
            _ = try emulator.send("{\"a\"\nb\"")
            let lines = try directory.logText().split(separator: "\n").suffix(2)
            let bodies = lines.map { JSONValue(parsing: String($0))?["body"] }
            #expect(bodies == [["message": ["token": "pixel"]], "{\"a\"\nb\""])
        }
    }

    @Test func `records refusals, but not queries to the emulator itself`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            _ = try emulator.inboxes()
            _ = try emulator.request("GET", "/emulator/v1/health")
            _ = try emulator.send("{")
            _ = try emulator.request("GET", "/nowhere")
            let lines = try directory.logText().split(separator: "\n")
            #expect(
                lines.compactMap { JSONValue(parsing: String($0))?["status"] } == [200, 400, 404]
            )
        }
    }

    @Test func `files are accessible to their owner only`() async throws {
        try await TestEmulator.run { (_, directory) async throws in
            for (name, mode) in [("", 0o700), ("/requests.ndjson", 0o600), ("/lock", 0o600)] {
                var status = stat()
                #expect(stat(directory.emulator + name, &status) == 0)
                #expect(Int(status.st_mode & 0o777) == mode)
            }
        }
    }

    @Test func `a request that cannot be recorded is answered with 500 and not delivered`() throws {
        // Every write to /dev/full fails with ENOSPC.
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        var core = EmulatorCore(log: RequestLog(descriptor: descriptor)) {
            DeliveryMoment(milliseconds: 0)
        }
        let seeding = core.handle(
            EmulatorRequest(
                method: "POST",
                target: "/emulator/v1/devices",
                body: Array(
                    #"[{"name":"pixel","platform":"android","registration":"pixel"}]"#.utf8
                )
            )
        )
        #expect(seeding.status == 500)
        #expect(JSONValue(parsing: seeding.bytes)?["error"]?["status"] == "INTERNAL")
        let inboxes = core.handle(EmulatorRequest(method: "GET", target: "/emulator/v1/inboxes"))
        #expect(JSONValue(parsing: inboxes.bytes) == ["devices": [], "last": 0, "total": 0])
    }
}
