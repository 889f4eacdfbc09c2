import EmulatorAPI
import EmulatorServer
import JSON
import TestSupport
import Testing

struct DeviceControlTests {
    private static let pixel = "/emulator/v1/devices/pixel"

    @Test func `shows, adds and removes one device`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let added = try emulator.post(
                "/emulator/v1/devices",
                #"{"devices":[{"name":"a b","platform":"web","registration":"w:1","project":"tidewatch","package":"pt.tidewatch"}]}"#
            )
            #expect(added.json == ["added": 1])
            let device = try emulator.request("GET", "/emulator/v1/devices/a%20b").json
            #expect(device?["project"] == "tidewatch")
            #expect(device?["package"] == "pt.tidewatch")
            #expect(device?["registered"] == true)
            #expect(try emulator.request("DELETE", "/emulator/v1/devices/a%20b").status == 200)
            #expect(try emulator.request("GET", "/emulator/v1/devices/a%20b").status == 404)
            #expect(try emulator.request("DELETE", "/emulator/v1/devices/a%20b").status == 404)
        }
    }

    @Test(.covers("A19", "A23", "A25"))
    func `an app subscribes by itself after it receives a registration`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let fresh = "/emulator/v1/devices/fresh"
            _ = try emulator.post("/emulator/v1/devices", #"[{"name":"fresh","platform":"apple"}]"#)
            let call = try emulator.post("\(fresh)/subscriptions", #"{"topic":"tides"}"#).json
            #expect(call?["completion"] == "pending")
            #expect(call?["waits_for"] == "registration")
            let issued = try emulator.post("\(fresh)/registration", "")
            let registration = try #require(issued.json?["registration"]?.stringValue)
            #expect(issued.json?["former"] == nil)
            let log = try emulator.request("GET", "\(fresh)/log").json
            #expect(log?["events"]?.arrayValue?.map { $0["event"] } == ["subscribe", "registered"])
            #expect(log?["events"]?.arrayValue?.first?["completion"] == "done")
            let members = try emulator.request("GET", "/emulator/v1/memberships?topic=tides").json
            #expect(
                members?["memberships"]?.arrayValue?.map { $0["registration"] } == [
                    .string(registration)
                ]
            )
            let ended = try emulator.request("DELETE", "\(fresh)/subscriptions/tides").json
            #expect(ended?["event"] == "unsubscribe")
            #expect(ended?["completion"] == "done")
            #expect(ended?["number"] == 3)
            let after = try emulator.request("GET", "/emulator/v1/memberships").json
            #expect(after?["memberships"] == [])
        }
    }

    @Test(.covers("F1.7-unregistered"))
    func `a rotated registration is refused and the new one is accepted`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            let rotated = try emulator.post("\(Self.pixel)/registration", "").json
            #expect(rotated?["former"] == "pixel")
            let new = try #require(rotated?["registration"]?.stringValue)
            #expect(new.contains(":APA91b"))
            let old = try emulator.send(#"{"message":{"token":"pixel","data":{"a":"1"}}}"#)
            #expect(old.status == 404)
            #expect(
                old.json?["error"]?["details"]?.arrayValue?.first?["errorCode"] == "UNREGISTERED"
            )
            let sent = try emulator.send(#"{"message":{"token":"\#(new)","data":{"a":"1"}}}"#)
            #expect(sent.status == 200)
            let again = try emulator.post("\(Self.pixel)/registration", "").json
            #expect(again?["former"] == .string(new))
            #expect(again?["registration"] != .string(new))
        }
    }

    @Test func `a registration can be chosen unless another device has it`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "\(Self.pixel)/registration"
            #expect(try emulator.post(path, #"{"registration":"p:9"}"#).status == 200)
            let taken = try emulator.post(path, #"{"registration":"iphone"}"#)
            #expect(taken.status == 400)
            #expect(taken.violations == ["registration"])
            #expect(try emulator.post(path, #"{"registration":"a b"}"#).status == 400)
            #expect(try emulator.post("/emulator/v1/devices/nokia/registration", "").status == 404)
            #expect(try emulator.request("DELETE", path).status == 200)
            let device = try emulator.request("GET", Self.pixel).json
            #expect(device?["registration"] == nil)
            #expect(device?["registered"] == false)
        }
    }

    @Test func `a restart restores generated registrations and pending calls`() async throws {
        let directory = try TemporaryDirectory()
        let first = try await TestEmulator(directory)
        _ = try first.post("\(Self.pixel)/registration", "")
        _ = try first.request("DELETE", "/emulator/v1/devices/iphone/registration")
        _ = try first.post("/emulator/v1/devices/iphone/subscriptions", #"{"topic":"tides"}"#)
        let before = try first.request("GET", "/emulator/v1/snapshot").json
        await first.server.stop()
        let second = try await TestEmulator(directory)
        #expect(try second.request("GET", "/emulator/v1/snapshot").json == before)
        _ = try second.post("/emulator/v1/devices/iphone/registration", "")
        let log = try second.request("GET", "/emulator/v1/devices/iphone/log?after=1").json
        #expect(log?["events"]?.arrayValue?.first?["completion"] == "done")
        await second.server.stop()
    }

    @Test func `a removed app cannot make calls`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try emulator.request("PATCH", Self.pixel, #"{"installed":false}"#)
            for path in ["registration", "subscriptions"] {
                let answer = try emulator.post("\(Self.pixel)/\(path)", #"{"topic":"tides"}"#)
                #expect(answer.status == 400)
            }
            #expect(try emulator.post("\(Self.pixel)/registration", "").status == 400)
        }
    }

    @Test(.covers("A38", "F1.2-success"))
    func `the ID of an accepted message is on the device`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("tides", "pixel", "iphone", "browser")
            let answer = try emulator.send(#"{"message":{"topic":"tides","data":{"a":"1"}}}"#)
            let name = try #require(answer.json?["name"]?.stringValue)
            let id = String(try #require(name.split(separator: "/").last))
            for (device, key) in [
                ("pixel", "google.message_id"), ("iphone", "gcm.message_id"),
                ("browser", "fcmMessageId"),
            ] {
                let message = try #require(try emulator.received(by: device).first)
                #expect(message["message_id"] == .string(id))
                #expect(message["message_id_key"] == .string(key))
            }
        }
    }

    @Test func `returns pages of devices, inboxes and memberships`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("tides", "pixel", "iphone", "browser")
            for number in 1...5 {
                _ = try emulator.send(
                    #"{"message":{"token":"pixel","data":{"n":"\#(number)"}}}"#
                )
            }
            let inbox = try emulator.request("GET", "\(Self.pixel)/inbox?after=1&limit=2").json
            #expect(inbox?["received"]?.arrayValue?.map { $0["number"] } == [2, 3])
            #expect(inbox?["received"]?.arrayValue?.map { $0["data"]?["n"] } == ["2", "3"])
            #expect(inbox?["last"] == 3)
            #expect(inbox?["total"] == 5)
            for (path, member) in [
                ("devices", "devices"), ("inboxes", "devices"), ("memberships", "memberships"),
            ] {
                let first = try emulator.request("GET", "/emulator/v1/\(path)?limit=2").json
                #expect(first?[member]?.arrayValue?.count == 2)
                #expect(first?["last"] == 2)
                let rest = try emulator.request("GET", "/emulator/v1/\(path)?after=2").json
                #expect(rest?[member]?.arrayValue?.count == 1)
                let none = try emulator.request("GET", "/emulator/v1/\(path)?after=9").json
                #expect(none?[member] == [])
                #expect(none?["last"] == 3)
            }
        }
    }

    @Test(arguments: [
        ("GET", "/emulator/v1/devices?after=-1", "", "after"),
        ("GET", "/emulator/v1/devices?limit=0", "", "limit"),
        ("GET", "/emulator/v1/requests?status=ok", "", "status"),
        ("GET", "/emulator/v1/counters?after=x", "", "after"),
        ("POST", "/emulator/v1/devices", #"[{"platform":"web"}]"#, "devices[0].name"),
        ("POST", "/emulator/v1/devices", #"[{"name":"x"}]"#, "devices[0].platform"),
        (
            "POST", "/emulator/v1/devices",
            #"[{"name":"x","platform":"web","topics":["a","b c"]}]"#, "devices[0].topics[1]"
        ),
        ("PATCH", "/emulator/v1/devices/pixel", #"{"online":1}"#, "online"),
        ("POST", "/emulator/v1/devices/pixel/subscriptions", "{}", "topic"),
        ("PUT", "/emulator/v1/clock", "{}", "mode"),
        ("PUT", "/emulator/v1/snapshot", #"{"version":2}"#, "version"),
    ])
    func `names the invalid field`(
        method: String,
        path: String,
        body: String,
        field: String
    ) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(method, path, body)
            #expect(answer.status == 400)
            #expect(answer.json?["error"]?["status"] == "INVALID_ARGUMENT")
            #expect(answer.violations == [field])
        }
    }
}

extension HTTPAnswer {
    /// The invalid fields that the answer names.
    var violations: [String] {
        let details = json?["error"]?["details"]?.arrayValue ?? []
        return details.flatMap { $0["fieldViolations"]?.arrayValue ?? [] }
            .compactMap { $0["field"]?.stringValue }
    }
}
