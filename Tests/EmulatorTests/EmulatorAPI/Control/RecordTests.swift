import EmulatorAPI
import EmulatorServer
import FoundationEssentials
import JSON
import TestSupport
import Testing

/// Tests of counters, filters of the request log, and snapshots.
struct RecordTests {
    private static func fill(_ emulator: TestEmulator) throws {
        for token in ["pixel", "iphone", "nobody:1"] {
            _ = try emulator.send(
                #"{"message":{"token":"\#(token)","notification":{"title":"Maré","body":"x"}}}"#
            )
        }
        _ = try emulator.send(
            #"{"message":{"notification":{"body":"x","title":"Maré"},"topic":"tides"}}"#
        )
        _ = try emulator.send(
            #"{"validateOnly":true,"message":{"token":"pixel","notification":{"title":"Maré","body":"x"}}}"#
        )
        _ = try emulator.send(#"{"message":{"token":"pixel","data":{"a":"1"}}}"#)
        _ = try emulator.send("{")
    }

    @Test func `counts sends by content regardless of the target`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try Self.fill(emulator)
            let counters = try emulator.request("GET", "/emulator/v1/counters").json
            let contents = try #require(counters?["contents"]?.arrayValue)
            #expect(contents.count == 3)
            let first = try #require(contents.first)
            #expect(first["message"] == ["notification": ["title": "Maré", "body": "x"]])
            #expect(first["accepted"] == 3)
            #expect(first["refused"] == 1)
            #expect(first["validated"] == 1)
            #expect(first["registrations"] == 3)
            #expect(first["topics"] == 1)
            #expect(
                first["answers"] == [
                    ["status": 200, "code": "OK", "count": 4],
                    ["status": 404, "code": "UNREGISTERED", "count": 1],
                ]
            )
            #expect(contents.last?["message"] == .null)
            #expect(contents.last?["refused"] == 1)
        }
    }

    /// The digest is from `printf '{"data":{"a":"1"}}' | sha256sum`.
    @Test func `counts the sends of one content by target`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try Self.fill(emulator)
            let path = "/emulator/v1/counters/3218bc4f76f8d297"
            let counter = try emulator.request("GET", path).json
            #expect(counter?["message"] == ["data": ["a": "1"]])
            #expect(
                counter?["targets"] == [
                    ["token": "pixel", "accepted": 1, "refused": 0, "validated": 0]
                ]
            )
            #expect(try emulator.request("GET", "\(path)?after=7").status == 404)
            #expect(try emulator.request("GET", "\(path)?after=6").status == 200)
        }
    }

    @Test func `distinguishes contents that cannot be parsed`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            for life in ["1 h", "60", "60"] {
                let message = #"{"token":"pixel","android":{"ttl":"\#(life)"}}"#
                #expect(try emulator.send(#"{"message":\#(message)}"#).status == 400)
            }
            let counters = try emulator.request("GET", "/emulator/v1/counters").json
            let contents = try #require(counters?["contents"]?.arrayValue)
            #expect(contents.map { $0["message"]?["android"]?["ttl"] } == ["1 h", "60"])
            #expect(contents.map { $0["refused"] } == [1, 2])
        }
    }

    @Test func `filters the request log by method, path and status`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try Self.fill(emulator)
            let path = "/emulator/v1/requests"
            for (query, expected) in [
                ("status=404", [4]), ("method=put", []), ("path=/emulator/", [1]),
                ("path=/v1/projects/tidewatch/&status=400", [8]),
                ("limit=3", [1, 2, 3]), ("after=2&limit=2", [3, 4]),
                ("after=2&status=200&limit=2", [3, 5]),
            ] {
                let answer = try emulator.request("GET", "\(path)?\(query)").json
                let numbers = answer?["requests"]?.arrayValue?.map { $0["seq"]?.integerValue }
                #expect(numbers == expected.map { Int64($0) }, "\(query)")
            }
            #expect(try emulator.request("GET", "\(path)?limit=3").json?["last"] == 3)
            #expect(try emulator.request("GET", "\(path)?status=404").json?["last"] == 8)
        }
    }

    @Test func `a snapshot restores devices, memberships and inboxes`() async throws {
        let directory = try TemporaryDirectory()
        let emulator = try await TestEmulator(directory)
        try emulator.subscribe("tides", "pixel", "browser")
        _ = try emulator.request("PATCH", "/emulator/v1/devices/browser", #"{"online":false}"#)
        _ = try emulator.post("/emulator/v1/devices/browser/subscriptions", #"{"topic":"azores"}"#)
        try Self.fill(emulator)
        let snapshot = try emulator.request("GET", "/emulator/v1/snapshot")
        let inboxes = try emulator.inboxes()
        let document = String(decoding: snapshot.body, as: UTF8.self)
        #expect(try emulator.request("DELETE", "/emulator/v1/devices/pixel").status == 200)
        #expect(try emulator.post("/emulator/v1/reset", "").status == 200)
        let restored = try emulator.request("PUT", "/emulator/v1/snapshot", document)
        #expect(restored.json == ["restored": 3])
        #expect(try emulator.inboxes() == inboxes)
        #expect(try emulator.request("GET", "/emulator/v1/snapshot").body == snapshot.body)
        await emulator.server.stop()
        let again = try await TestEmulator(directory)
        #expect(try again.inboxes() == inboxes)
        _ = try again.request("PATCH", "/emulator/v1/devices/browser", #"{"online":true}"#)
        #expect(try again.received(by: "browser").count == 1)
        let log = try again.request("GET", "/emulator/v1/devices/browser/log").json
        #expect(log?["events"]?.arrayValue?.map { $0["completion"] } == [nil, "done", nil])
        await again.server.stop()
    }

    @Test func `a snapshot keeps the numbers of an inbox whose first messages were discarded`()
        async throws
    {
        let received =
            #"{"message_id":"m","received_at":"2037-03-20T07:30:00.000Z","how":"tray"}"#
        let device =
            #"{"seeded":{"name":"x","platform":"web"},"forgotten":500,"received":[\#(received)]}"#
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "/emulator/v1/snapshot"
            let document = #"{"version":1,"devices":[\#(device)]}"#
            #expect(try emulator.request("PUT", path, document).status == 200)
            let inbox = try emulator.request("GET", "/emulator/v1/devices/x/inbox").json
            #expect(inbox?["received"]?.arrayValue?.map { $0["number"] } == [501])
            #expect(inbox?["total"] == 501)
            let snapshot = try emulator.request("GET", path).body
            let text = String(decoding: snapshot, as: UTF8.self)
            #expect(try emulator.request("PUT", path, text).status == 200)
            #expect(try emulator.request("GET", path).body == snapshot)
        }
    }

    @Test(.covers("F2.3-topics-per-instance"))
    func `a device has at most as many topics as its snapshot can restore`() async throws {
        func device(_ count: Int) -> String {
            let topics = (1...count).map { "\"t\($0)\"" }.joined(separator: ",")
            return
                #"[{"name":"x","platform":"web","registration":"x:1","topics":[\#(topics),"t1"]}]"#
        }
        try await TestEmulator.run { (emulator, _) async throws in
            let refused = try emulator.post("/emulator/v1/devices", device(2_001))
            #expect(refused.status == 400)
            #expect(refused.violations == ["devices"])
            #expect(try emulator.post("/emulator/v1/devices", device(2_000)).status == 200)
            let path = "/emulator/v1/snapshot"
            let snapshot = try emulator.request("GET", path).body
            let text = String(decoding: snapshot, as: UTF8.self)
            #expect(try emulator.request("PUT", path, text).status == 200)
            #expect(try emulator.request("GET", path).body == snapshot)
        }
    }

    @Test(arguments: [
        (
            #"{"seeded":{"name":"x","platform":"web"},"forgotten":-1}"#,
            "devices[0].forgotten"
        ),
        (
            #"{"seeded":{"name":"x","platform":"web","registration":"r"}},{"seeded":{"name":"x","platform":"web"}}"#,
            "devices[1].seeded.name"
        ),
        (
            #"{"seeded":{"name":"x","platform":"web"},"registration":"r"},{"seeded":{"name":"y","platform":"web","registration":"r"}}"#,
            "devices[1].registration"
        ),
        (#"{"seeded":{"platform":"web"}}"#, "devices[0].seeded.name"),
        (
            #"{"seeded":{"name":"x","platform":"web"},"received":[{"how":"tray","received_at":"2037-03-20T07:30:00Z"}]}"#,
            "devices[0].received[0].message_id"
        ),
        (
            #"{"seeded":{"name":"x","platform":"web"},"topics":[{"topic":"tides","since":"2037-03-20T07:30:00Z"}]}"#,
            "devices[0].topics"
        ),
        (
            #"{"seeded":{"name":"x","platform":"web"},"counts":{"dropped":-1}}"#,
            "devices[0].counts.dropped"
        ),
    ])
    func `refuses invalid snapshots`(devices: String, field: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(
                "PUT",
                "/emulator/v1/snapshot",
                #"{"version":1,"devices":[\#(devices)]}"#
            )
            #expect(answer.status == 400)
            #expect(answer.violations == [field])
            #expect(try emulator.inboxes().count == 3)
        }
    }
}
