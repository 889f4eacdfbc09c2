import DeliveryModel
import EmulatorAPI
import EmulatorServer
import FCMWire
import JSON
import TestSupport
import Testing

struct TopicSubscriptionTests {
    private static let parent = "/v1/projects/tidewatch/registrations/pixel/topicSubscriptions"
    private static let notFound: JSONValue = [
        "error": [
            "code": 404, "message": "Requested entity was not found.", "status": "NOT_FOUND",
        ]
    ]

    @Test(
        .covers("F2.2-create", "F2.2-resource", "F2.2-get"),
        arguments: ["topicName", "topic_name"]
    )
    func `a subscription is created once and then found`(parameter: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "\(Self.parent)?\(parameter)=tides-%25.~"
            let made = try emulator.post(path, "{}")
            #expect(made.status == 200)
            let time = try #require(made.json?["create_time"]?.stringValue)
            #expect(
                time.wholeMatch(
                    of: /20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z/
                ) != nil
            )
            #expect(
                made.json == [
                    "name":
                        "projects/tidewatch/registrations/pixel/topicSubscriptions/tides-%.~",
                    "topic_name": "tides-%.~", "create_time": .string(time),
                ]
            )
            let again = try emulator.post(path, "")
            #expect(again.status == 409)
            #expect(
                again.json == [
                    "error": [
                        "code": 409, "message": "Requested entity already exists",
                        "status": "ALREADY_EXISTS",
                    ]
                ]
            )
            #expect(
                try emulator.request("GET", "\(Self.parent)/tides-%25.~").json == made.json
            )
            #expect(try emulator.inboxes().first?["topics"] == ["tides-%.~"])
        }
    }

    @Test(.covers("F2.2-upsert"))
    func `repeated PATCH with allowMissing keeps the subscription`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "\(Self.parent)/tides"
            let missing = try emulator.request("PATCH", path, "{}")
            #expect(missing.status == 404)
            #expect(missing.json == Self.notFound)
            let made = try emulator.request("PATCH", path + "?allowMissing=true", "{}")
            #expect(made.status == 200)
            for query in ["", "?allow_missing=true", "?allowMissing=false"] {
                let body = #"{"topic_name":"tides"}"#
                #expect(try emulator.request("PATCH", path + query, body).json == made.json)
            }
        }
    }

    @Test(.covers("F2.2-delete")) func `DELETE ends an existing subscription`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "\(Self.parent)/tides"
            try emulator.subscribe("tides", "pixel", "iphone")
            let ended = try emulator.request("DELETE", path)
            #expect(ended.status == 200)
            #expect(ended.json == [:])
            #expect(try emulator.inboxes().map { $0["topics"] } == [[], ["tides"], []])
            #expect(try emulator.request("DELETE", path).json == Self.notFound)
            #expect(try emulator.request("GET", path).json == Self.notFound)
            #expect(try emulator.request("DELETE", path + "?allow_missing=true").status == 200)
            #expect(try emulator.request("DELETE", path + "?allowMissing=true").status == 200)
        }
    }

    @Test(.covers("F2.2-list"))
    func `lists pages of 1,000 by default and 2,000 at most`() async throws {
        let topics = (0..<2_000).compactMap { TopicName("t\($0 + 10_000)") }
        let full = DeviceSpecification.phone("pixel", topics: topics)
        try await TestEmulator.run(devices: [full]) { (emulator, _) async throws in
            func page(_ query: String) throws -> (names: [JSONValue?], next: String?) {
                let answer = try #require(emulator.request("GET", Self.parent + query).json)
                let list = answer["topic_subscriptions"]?.arrayValue ?? []
                return (list.map { $0["topic_name"] }, answer["next_page_token"]?.stringValue)
            }
            let first = try page("")
            #expect(first.names.count == 1_000)
            #expect(first.names.last == .string("t10999"))
            let second = try page("?pageToken=\(try #require(first.next))")
            #expect(second.names.count == 1_000)
            #expect(second.names.first == .string("t11000"))
            #expect(second.next == nil)
            let three = try page("?page_size=3&page_token=\(try #require(first.next))")
            #expect(three.names == ["t11000", "t11001", "t11002"])
            #expect(try page("?pageSize=9999").names.count == 2_000)
            #expect(try page("?pageSize=1999").next != nil)
            for query in ["?pageSize=-1", "?pageSize=x", "?pageToken=zz", "?pages=1"] {
                #expect(try emulator.request("GET", Self.parent + query).status == 400)
            }
        }
    }

    @Test(.covers("F2.1-too-many-topics", "F2.3-topics-per-instance"))
    func `the 2,001st topic is refused by both APIs`() async throws {
        let topics = (0..<1_999).compactMap { TopicName("t\($0)") }
        let device = DeviceSpecification.phone("pixel", topics: topics)
        try await TestEmulator.run(devices: [device]) { (emulator, _) async throws in
            #expect(try emulator.post("\(Self.parent)?topicName=last", "{}").status == 200)
            let beyond = try emulator.post("\(Self.parent)?topicName=beyond", "{}")
            #expect(beyond.status == 400)
            #expect(beyond.json?["error"]?["status"] == "FAILED_PRECONDITION")
            let batch = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/beyond","registration_tokens":["pixel"]}"#
            )
            #expect(batch.json == ["results": [["error": "TOO_MANY_TOPICS"]]])
            let single = try emulator.post("/iid/v1/pixel/rel/topics/beyond", "")
            #expect(single.status == 400)
            #expect(single.json == ["error": "TOO_MANY_TOPICS"])
            // A repeated subscription does not count as another topic.
            #expect(try emulator.post("/iid/v1/pixel/rel/topics/last", "").status == 200)
        }
    }

    @Test(.covers("F2.2-topic-name"))
    func `refuses malformed requests and unknown registrations`() async throws {
        let stranger = DeviceSpecification.phone("stranger", project: "elsewhere")
        let devices = [DeviceSpecification].threePhones + [stranger]
        try await TestEmulator.run(devices: devices) { (emulator, _) async throws in
            func status(_ method: String, _ path: String, _ body: String = "{}") throws -> Int {
                try emulator.request(method, "/v1/projects/tidewatch/registrations/" + path, body)
                    .status
            }
            let longest = String(repeating: "t", count: 900)
            #expect(try status("POST", "pixel/topicSubscriptions?topicName=\(longest)") == 200)
            #expect(try status("POST", "pixel/topicSubscriptions?topicName=\(longest)t") == 400)
            #expect(try status("POST", "pixel/topicSubscriptions") == 400)
            #expect(try status("POST", "pixel/topicSubscriptions?topicName=a%20b") == 400)
            #expect(try status("POST", "pixel/topicSubscriptions?topicName=a", "{") == 400)
            #expect(
                try status("POST", "pixel/topicSubscriptions?topicName=a", #"{"x":1}"#) == 400
            )
            #expect(try status("GET", "p%20x/topicSubscriptions") == 400)
            #expect(try status("GET", "nobody/topicSubscriptions") == 404)
            #expect(try status("GET", "stranger/topicSubscriptions") == 403)
            #expect(try status("PUT", "pixel/topicSubscriptions/a") == 405)
            let anonymous = try emulator.request("GET", Self.parent, authorization: nil)
            #expect(anonymous.status == 401)
        }
    }

    @Test(.covers("F2.2-resource")) func `a registration may be percent-encoded`() async throws {
        try await TestEmulator.run(devices: [.phone("x_1:APA91b")]) { (emulator, _) async throws in
            let path = "/v1/projects/tidewatch/registrations/x_1%3AAPA91b/topicSubscriptions"
            let made = try emulator.request("PATCH", path + "/t?allowMissing=true", "{}").json
            #expect(
                made?["name"]
                    == "projects/tidewatch/registrations/x_1:APA91b/topicSubscriptions/t"
            )
        }
    }

    @Test(.covers("F2.2-upsert", "F2.2-delete"))
    func `a restart keeps subscriptions and their creation times`() async throws {
        let directory = try TemporaryDirectory()
        let emulator = try await TestEmulator(directory)
        let kept = try emulator.post("\(Self.parent)?topicName=kept", "").json
        _ = try emulator.request("PATCH", "\(Self.parent)/left?allowMissing=true", "{}")
        _ = try emulator.request("DELETE", "\(Self.parent)/left")
        await emulator.server.stop()
        let restarted = try await TestEmulator(directory)
        let list = try restarted.request("GET", Self.parent).json
        await restarted.server.stop()
        #expect(list == ["topic_subscriptions": [try #require(kept)]])
    }
}

extension DeviceSpecification {
    /// Creates a device whose registration is its name.
    static func phone(
        _ name: String,
        platform: DevicePlatform = .android,
        topics: [TopicName] = [],
        project: String? = nil,
        package packageName: String? = nil
    ) -> DeviceSpecification {
        guard let registration = DeviceRegistration(name) else {
            preconditionFailure("\(name) is no registration")
        }
        return DeviceSpecification(
            name: name,
            platform: platform,
            registration: registration,
            topics: topics,
            project: project,
            packageName: packageName
        )
    }
}
