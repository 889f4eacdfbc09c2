import JSON
import TestSupport
import Testing

struct ControlTests {
    @Test func `reports its health`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let health = try emulator.request("GET", "/emulator/v1/health", authorization: nil)
            #expect(health.status == 200)
            #expect(health.json?["status"] == "ok")
            #expect((health.json?["pid"]?.integerValue ?? 0) > 0)
        }
    }

    @Test func `adds devices and lists them in seeding order`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.post(
                "/emulator/v1/devices",
                #"[{"name":"tablet","platform":"android","registration":"t:1","online":false,"topics":["tides"]}]"#
            )
            #expect(answer.json == ["added": 1])
            let devices = try emulator.request("GET", "/emulator/v1/devices").json?["devices"]
            #expect(
                devices?.arrayValue?.map { $0["name"] } == [
                    "pixel", "iphone", "browser", "tablet",
                ]
            )
            #expect(devices?.arrayValue?.last?["online"] == false)
            #expect(devices?.arrayValue?.last?["topics"] == ["tides"])
        }
    }

    @Test(arguments: [
        "", "{}x", #"[{"name":"x","platform":"symbian","registration":"t"}]"#,
        #"[{"name":"","platform":"web"}]"#, #"[{"platform":"web","registration":"t"}]"#,
        #"[{"name":"x","platform":"web","registration":"t t"}]"#,
        #"[{"name":"x","platform":"web","registration":"t","topics":["a b"]}]"#,
        #"[{"name":"x","platform":"web","registration":"t","doze":true}]"#,
        #"[{"name":"x","platform":"web","registration":"pixel"}]"#,
    ])
    func `refuses invalid devices`(body: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            #expect(try emulator.post("/emulator/v1/devices", body).status == 400)
            #expect(try emulator.inboxes().count == 3)
        }
    }

    @Test func `a device that comes online receives the waiting messages`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "/emulator/v1/devices/pixel"
            #expect(try emulator.request("PATCH", path, #"{"online":false}"#).status == 200)
            _ = try emulator.send(#"{"message":{"token":"pixel","data":{"a":"1"}}}"#)
            #expect(try emulator.inboxes().first?["pending"] == 1)
            let change = try emulator.request("PATCH", path, #"{"online":true}"#)
            #expect(change.json?["online"] == true)
            #expect(try emulator.received(by: "pixel").count == 1)
            #expect(try emulator.request("PATCH", path, #"{"online":"yes"}"#).status == 400)
            let unknown = try emulator.request("PATCH", "/emulator/v1/devices/nokia", "{}")
            #expect(unknown.status == 404)
        }
    }

    @Test func `a reset discards messages and memberships and keeps the log`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("tides", "pixel")
            _ = try emulator.send(#"{"message":{"token":"pixel","data":{"a":"1"}}}"#)
            #expect(try emulator.post("/emulator/v1/reset", "").status == 200)
            #expect(try emulator.received(by: "pixel").isEmpty)
            #expect(try emulator.inboxes().map { $0["topics"] } == [[], [], []])
            let requests = try emulator.request("GET", "/emulator/v1/requests?after=0").json
            #expect(
                requests?["requests"]?.arrayValue?.map { $0["path"] } == [
                    "/emulator/v1/devices", "/iid/v1:batchAdd",
                    "/v1/projects/tidewatch/messages:send", "/emulator/v1/reset",
                ]
            )
            let last = try emulator.request("GET", "/emulator/v1/requests?after=3").json
            #expect(last?["requests"]?.arrayValue?.map { $0["seq"] } == [4])
            #expect(
                try emulator.request("GET", "/emulator/v1/requests?after=4").json
                    == ["requests": [], "last": 4]
            )
            #expect(try emulator.request("GET", "/emulator/v1/requests?after=x").status == 400)
        }
    }

    @Test(.covers("F1.1-dead", "F1.1-methods"))
    func `answers unknown paths and methods in JSON`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            for path in [
                "/nothing", "/fcm/send", "/batch", "/v1/projects//messages:send", "/iid/info",
            ] {
                let answer = try emulator.post(path, "")
                #expect(answer.status == 404, "\(path)")
                #expect(answer.json?["error"]?["status"] == "NOT_FOUND")
            }
            let answer = try emulator.request("GET", "/v1/projects/p/messages:send")
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "POST")
            #expect(answer.json?["error"]?["code"] == 405)
        }
    }
}
