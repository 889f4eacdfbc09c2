import JSON
import TestSupport
import Testing

struct SendTests {
    @Test(.covers("A38", "A39", "A44", "C85", "F1.2-id-shape", "F1.2-success", "F1.3-token"))
    func `answers with a name and delivers`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(
                #"{"message":{"token":"pixel","notification":{"title":"Tide"},"data":{"b":"2","a":"1"}}}"#
            )
            #expect(answer.status == 200)
            let name = try #require(answer.json?["name"]?.stringValue)
            #expect(
                try /projects\/tidewatch\/messages\/0:[0-9]{16}%[0-9a-f]{16}/.wholeMatch(in: name)
                    != nil
            )
            let received = try emulator.received(by: "pixel")
            #expect(received.count == 1)
            #expect(received.first?["title"] == "Tide")
            #expect(received.first?["how"] == "tray")
            #expect(received.first?["data"] == ["a": "1", "b": "2"])
            #expect(name.hasSuffix(try #require(received.first?["message_id"]?.stringValue)))
            #expect(try emulator.received(by: "iphone").isEmpty)
        }
    }

    @Test(.covers("F1.1-names", "F1.3-fid", "F1.4-priority"))
    func `accepts lower camel case, enumerations in any case, null and a fid`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(
                """
                {"validateOnly":false,"message":{"fid":"pixel","topic":null,
                 "android":{"collapseKey":"c","priority":"high","ttl":"3.500000000s",
                  "notification":{"clickAction":"OPEN","notificationPriority":"priority_max"}},
                 "fcmOptions":{"analyticsLabel":"spring"}}}
                """
            )
            #expect(answer.status == 200)
            let received = try #require(try emulator.received(by: "pixel").first)
            #expect(received["collapse_key"] == nil)
            #expect(received["priority"] == "HIGH")
            #expect(received["ttl"] == "3.500000000s")
            #expect(received["click_action"] == "OPEN")
        }
    }

    @Test(.covers("A01", "A40", "F1.2-id-shape"))
    func `a topic message has a decimal ID and reaches the subscribers`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("tides", "pixel", "iphone")
            let answer = try emulator.send(#"{"message":{"topic":"tides","data":{"a":"1"}}}"#)
            let name = try #require(answer.json?["name"]?.stringValue)
            #expect(try /projects\/tidewatch\/messages\/[0-9]+/.wholeMatch(in: name) != nil)
            #expect(try emulator.inboxes().map { $0["received"]?.arrayValue?.count } == [1, 1, 0])
        }
    }

    @Test(.covers("A49", "F1.3-condition"))
    func `a condition reaches the devices that match it`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("a", "pixel", "iphone")
            try emulator.subscribe("b", "iphone")
            let answer = try emulator.send(
                #"{"message":{"condition":"'a' in topics && !('b' in topics)","data":{"a":"1"}}}"#
            )
            #expect(answer.status == 200)
            #expect(try emulator.inboxes().map { $0["received"]?.arrayValue?.count } == [1, 0, 0])
        }
    }

    @Test(.covers("F1.1-body", "F1.2-dry-run", "F1.2-dry-run-checks"))
    func `validate_only checks the target and delivers nothing`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.send(
                #"{"validate_only":true,"message":{"token":"pixel","data":{"a":"1"}}}"#
            )
            #expect(answer.json == ["name": "projects/tidewatch/messages/fake_message_id"])
            #expect(try emulator.received(by: "pixel").isEmpty)
            #expect(
                try emulator.send(#"{"validate_only":true,"message":{"token":"nobody:APA91b"}}"#)
                    .status
                    == 404
            )
        }
    }

    @Test(.covers("C63"))
    func `a removed app is UNREGISTERED after the first attempt`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let change = try emulator.request(
                "PATCH",
                "/emulator/v1/devices/pixel",
                #"{"installed":false}"#
            )
            #expect(change.status == 200)
            let message = #"{"message":{"token":"pixel","data":{"a":"1"}}}"#
            #expect(try emulator.send(message).status == 200)
            #expect(try emulator.send(message).status == 404)
        }
    }

    @Test(.covers("F4-payload-live", "F4-payload-reference"))
    func `the largest message passes and one byte more does not`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            func message(_ target: String, bytes: Int) -> String {
                let value = String(repeating: "x", count: bytes - 1)
                return #"{"message":{\#(target),"data":{"k":"\#(value)"}}}"#
            }
            #expect(try emulator.send(message(#""token":"pixel""#, bytes: 4_096)).status == 200)
            #expect(try emulator.send(message(#""token":"pixel""#, bytes: 4_097)).status == 400)
            #expect(try emulator.send(message(#""topic":"t""#, bytes: 2_048)).status == 200)
            #expect(try emulator.send(message(#""topic":"t""#, bytes: 2_049)).status == 400)
        }
    }
}
