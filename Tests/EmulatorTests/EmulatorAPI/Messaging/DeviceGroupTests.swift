import DeliveryModel
import EmulatorAPI
import EmulatorServer
import JSON
import TestSupport
import Testing

struct DeviceGroupTests {
    private static let path = "/fcm/notification"

    private static func phones(_ range: Range<Int>) -> [DeviceSpecification] {
        range.map { .phone("phone-\($0)") }
    }

    private static func list(_ range: Range<Int>) -> String {
        range.map { "\"phone-\($0)\"" }.joined(separator: ",")
    }

    private func post(
        _ emulator: TestEmulator,
        _ body: String,
        project: String? = "1234"
    ) throws -> HTTPAnswer {
        try emulator.request("POST", Self.path, body, projectID: project)
    }

    /// Creates the group `crew` and returns its key.
    private func create(_ emulator: TestEmulator, _ members: String) throws -> String {
        let answer = try post(
            emulator,
            #"{"operation":"create","notification_key_name":"crew","registration_ids":[\#(members)]}"#
        )
        #expect(answer.status == 200)
        let key = try #require(answer.json?["notification_key"]?.stringValue)
        #expect(answer.json == ["notification_key": .string(key)])
        return key
    }

    private func change(_ operation: String, _ key: String, _ members: String) -> String {
        #"{"operation":"\#(operation)","notification_key_name":"crew","notification_key":"\#(key)","registration_ids":[\#(members)]}"#
    }

    @Test(.covers("F6-create", "F6-max", "F6-add"))
    func `a group has at most twenty members`() async throws {
        try await TestEmulator.run(devices: Self.phones(0..<22)) { (emulator, _) async throws in
            let tooMany = try post(
                emulator,
                #"{"operation":"create","notification_key_name":"x","registration_ids":[\#(Self.list(0..<21))]}"#
            )
            #expect(tooMany.status == 400)
            let key = try create(emulator, Self.list(0..<19))
            #expect(try post(emulator, change("add", key, #""phone-19""#)).status == 200)
            let further = try post(emulator, change("add", key, #""phone-20""#))
            #expect(further.status == 400)
            #expect(
                further.json == [
                    "error": "too many members: a notification_key has at most 20"
                ]
            )
            // An existing member takes no additional place, and a removed member frees one.
            #expect(try post(emulator, change("add", key, #""phone-0""#)).status == 200)
            #expect(try post(emulator, change("remove", key, #""phone-0""#)).status == 200)
            #expect(try post(emulator, change("add", key, #""phone-20""#)).status == 200)
        }
    }

    @Test(.covers("F6-send", "F6-remove", "F1.2-group", "F6-deletion"))
    func `a send to the key reaches every member`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let key = try create(emulator, #""pixel","iphone","nobody","browser""#)
            _ = try post(emulator, change("remove", key, #""browser""#))
            let message = #"{"message":{"token":"\#(key)","data":{"a":"1"}}}"#
            let answer = try emulator.send(message)
            #expect(answer.status == 200)
            let name = try #require(answer.json?["name"]?.stringValue)
            #expect(answer.json == ["name": .string(name)])
            let received = try emulator.inboxes().map { $0["received"]?.arrayValue?.count }
            #expect(received == [1, 1, 0])
            _ = try emulator.request(
                "PATCH",
                "/emulator/v1/devices/pixel",
                #"{"installed":false}"#
            )
            #expect(try emulator.send(message).status == 200)
            #expect(try emulator.send(message).status == 200)
            #expect(try emulator.received(by: "iphone").count == 3)
            // Removing the last member deletes the group.
            #expect(
                try post(emulator, change("remove", key, #""pixel","iphone""#)).status == 200
            )
            #expect(try emulator.send(message).status == 404)
            let gone = try post(emulator, change("add", key, #""pixel""#))
            #expect(gone.json == ["error": "notification_key not found"])
            #expect(try create(emulator, #""iphone""#) != key)
        }
    }

    @Test(.covers("F6-read", "F6-headers"))
    func `a key is found by its name in its project`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let key = try create(emulator, #""pixel""#)
            let path = "\(Self.path)?notification_key_name=crew"
            let found = try emulator.request("GET", path, projectID: "1234")
            #expect(found.json == ["notification_key": .string(key)])
            let elsewhere = try emulator.request("GET", path, projectID: "5678")
            #expect(elsewhere.status == 400)
            #expect(elsewhere.json == ["error": "notification_key not found"])
            #expect(try emulator.request("GET", path).status == 400)
            #expect(
                try emulator.request("GET", path, authorization: nil, projectID: "1234").status
                    == 401
            )
        }
    }

    static let refused: [(String, String)] = [
        ("", "JSON_PARSING_ERROR"), ("[]", "JSON_PARSING_ERROR"),
        (#"{"operation":"destroy"}"#, "operation must be create, add or remove"),
        (
            #"{"operation":"create","registration_ids":["pixel"]}"#,
            "notification_key_name is missing"
        ),
        (
            #"{"operation":"create","notification_key_name":"new"}"#,
            "registration_ids are missing"
        ),
        (
            #"{"operation":"create","notification_key_name":"new","registration_ids":["nobody",7,"a b"]}"#,
            "no valid registration ids"
        ),
        (
            #"{"operation":"create","notification_key_name":"crew","registration_ids":["iphone"]}"#,
            "notification_key already exists"
        ),
        (
            #"{"operation":"add","notification_key":"APA91bNobody","registration_ids":["pixel"]}"#,
            "notification_key not found"
        ),
    ]

    @Test(.covers("F6-errors"), arguments: refused)
    func `refuses requests with an error text`(body: String, text: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let key = try create(emulator, #""pixel""#)
            let answer = try post(emulator, body)
            #expect(answer.status == 400)
            #expect(answer.json == ["error": .string(text)])
            let other = try post(
                emulator,
                #"{"operation":"add","notification_key_name":"other","notification_key":"\#(key)","registration_ids":["iphone"]}"#
            )
            #expect(
                other.json == [
                    "error": "notification_key_name does not match notification_key"
                ]
            )
        }
    }

    @Test func `a reset deletes groups`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let key = try create(emulator, #""pixel""#)
            _ = try emulator.post("/emulator/v1/reset", "")
            let sent = try emulator.send(#"{"message":{"token":"\#(key)"}}"#)
            #expect(sent.status == 404)
            #expect(try create(emulator, #""pixel""#) != key)
        }
    }

    @Test(.covers("F6-create")) func `a restart keeps groups and their keys`() async throws {
        let directory = try TemporaryDirectory()
        let emulator = try await TestEmulator(directory)
        let key = try create(emulator, #""pixel","iphone""#)
        _ = try post(emulator, change("remove", key, #""iphone""#))
        await emulator.server.stop()
        let restarted = try await TestEmulator(directory)
        let sent = try restarted.send(#"{"message":{"token":"\#(key)","data":{"a":"1"}}}"#)
        let inboxes = try restarted.inboxes().map { $0["received"]?.arrayValue?.count }
        await restarted.server.stop()
        #expect(sent.status == 200)
        #expect(inboxes == [1, 0, 0])
    }
}
