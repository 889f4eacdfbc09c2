import DeliveryModel
import FCMWire
import JSON
import TestSupport
import Testing

struct InstanceIDTests {
    @Test(
        .covers(
            "A27",
            "F2.1-add",
            "F2.1-invalid-argument",
            "F2.1-not-found",
            "F2.1-remove",
            "F2.1-success"
        )
    ) func `answers for each registration in order`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/tides","registration_tokens":["nobody:APA91b","pixel","b d",7,"iphone"]}"#
            )
            #expect(answer.status == 200)
            #expect(
                answer.json == [
                    "results": [
                        ["error": "NOT_FOUND"], [:], ["error": "INVALID_ARGUMENT"],
                        ["error": "INVALID_ARGUMENT"], [:],
                    ]
                ]
            )
            #expect(
                try emulator.inboxes().map { $0["topics"] } == [["tides"], ["tides"], []]
            )
            let removal = try emulator.post(
                "/iid/v1:batchRemove",
                #"{"to":"/topics/tides","registration_tokens":["pixel","browser","nobody:APA91b"]}"#
            )
            #expect(removal.json == ["results": [[:], [:], ["error": "NOT_FOUND"]]])
            #expect(try emulator.inboxes().map { $0["topics"] } == [[], ["tides"], []])
        }
    }

    @Test(.covers("A16", "F2.3-creation"))
    func `the first subscription creates a topic that all registrations can join`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            func members() throws -> [JSONValue?]? {
                try emulator.request("GET", "/emulator/v1/memberships?topic=azores").json?[
                    "memberships"
                ]?.arrayValue?.map { $0["device"] }
            }
            #expect(try members() == [])
            try emulator.subscribe("azores", "iphone")
            #expect(try members() == ["iphone"])
            let call = try emulator.post(
                "/emulator/v1/devices/browser/subscriptions",
                #"{"topic":"azores"}"#
            )
            #expect(call.json?["completion"] == "done")
            #expect(try members() == ["iphone", "browser"])
            _ = try emulator.send(#"{"message":{"topic":"azores","data":{"a":"1"}}}"#)
            #expect(try emulator.inboxes().map { $0["received"]?.arrayValue?.count } == [0, 1, 1])
        }
    }

    static let refused = [
        "", "{", #"{"registration_tokens":["pixel"]}"#,
        #"{"to":"tides","registration_tokens":["pixel"]}"#,
        #"{"to":"/topics/","registration_tokens":["pixel"]}"#,
        #"{"to":"/topics/a b","registration_tokens":["pixel"]}"#,
        #"{"to":"/topics/tides"}"#, #"{"to":"/topics/tides","registration_tokens":[]}"#,
        #"{"to":"/topics/tides","registration_tokens":"pixel"}"#,
        #"{"to":"/topics/tides","registration_tokens":[\#(Array(repeating: "\"pixel\"", count: 1_001).joined(separator: ","))]}"#,
    ]

    @Test(.covers("A11", "A32", "A42", "F2.1-body", "F2.1-max", "F2.1-refusal"), arguments: refused)
    func `refuses malformed requests as a whole`(body: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.post("/iid/v1:batchAdd", body)
            #expect(answer.status == 400)
            #expect(answer.json?["error"]?.stringValue?.isEmpty == false)
            #expect(try emulator.inboxes().first?["topics"] == [])
        }
    }

    @Test(.covers("A11", "A31", "F2.1-max"), arguments: [1, 2, 999, 1_000])
    func `up to a thousand registrations have one result each in the same format`(
        count: Int
    )
        async throws
    {
        try await TestEmulator.run { (emulator, _) async throws in
            let known = Array(repeating: "\"pixel\"", count: count - 1)
            let tokens = (known + ["\"nobody:1\""]).joined(separator: ",")
            var results: [JSONValue] = Array(repeating: [:], count: count - 1)
            results.append(["error": "NOT_FOUND"])
            for method in ["batchAdd", "batchRemove"] {
                let answer = try emulator.post(
                    "/iid/v1:\(method)",
                    #"{"to":"/topics/t","registration_tokens":[\#(tokens)]}"#
                )
                #expect(answer.json == ["results": .array(results)])
            }
        }
    }

    @Test(.covers("F2.1-info")) func `shows the subscriptions of a registration`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("tides", "iphone")
            let info = try emulator.request("GET", "/iid/info/iphone?details=true").json
            let date = try #require(
                info?["rel"]?["topics"]?["tides"]?["addDate"]?.stringValue
            )
            #expect(date.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil)
            var known: JSONObject = [
                "application": "herald.emulator", "applicationVersion": "1",
                "authorizedEntity": "0", "platform": "IOS",
            ]
            #expect(try emulator.request("GET", "/iid/info/iphone").json == .object(known))
            known["rel"] = ["topics": ["tides": ["addDate": .string(date)]]]
            #expect(info == .object(known))
            #expect(try emulator.request("GET", "/iid/info/nobody").status == 404)
        }
    }

    @Test(.covers("C89-refused", "F2.1-headers"), arguments: [nil, "key=AIzaSyServerKey"])
    func `requires a bearer token`(authorization: String?) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(
                "POST",
                "/iid/v1:batchAdd",
                #"{"to":"/topics/t","registration_tokens":["pixel"]}"#,
                authorization: authorization
            )
            #expect(answer.status == 401)
            #expect(answer.json == ["error": "Unauthorized"])
        }
    }

    @Test(.covers("F2.1-single", "F2.3-private"))
    func `changes a single subscription`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            func change(_ method: String, _ path: String) throws -> HTTPAnswer {
                try emulator.request(method, "/iid/v1/" + path)
            }
            let added = try change("POST", "pixel/rel/topics/tides")
            #expect(added.status == 200)
            #expect(added.json == [:])
            #expect(try change("POST", "pixel/rel/topics/private%2Ftides").status == 200)
            #expect(try emulator.inboxes().first?["topics"] == ["private/tides", "tides"])
            #expect(try change("DELETE", "pixel/rel/topics/tides").status == 200)
            #expect(try change("DELETE", "pixel/rel/topics/tides").json == [:])
            #expect(try emulator.inboxes().first?["topics"] == ["private/tides"])
            #expect(try change("POST", "a%20b/rel/topics/t").json == ["error": "InvalidToken"])
            #expect(
                try change("POST", "pixel/rel/topics/a%20b").json == ["error": "InvalidTopicName"]
            )
            let unknown = try change("DELETE", "nobody:APA91b/rel/topics/t")
            #expect(unknown.status == 404)
            #expect(
                unknown.json == ["error": "No information found about this instance id."]
            )
            #expect(try change("PUT", "pixel/rel/topics/t").status == 405)
        }
    }

    @Test(.covers("F2.1-import")) func `creates registrations for APNs tokens`() async throws {
        let token = String(repeating: "0aF9", count: 16)
        let body = { (tokens: [String]) in
            let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"application":"com.example","sandbox":false,"apns_tokens":[\#(list)]}"#
        }
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.post("/iid/v1:batchImport", body([token, "short"]))
            #expect(answer.status == 200)
            let results = try #require(answer.json?["results"]?.arrayValue)
            let registration = try #require(results.first?["registration_token"]?.stringValue)
            #expect(
                results == [
                    [
                        "apns_token": .string(token), "status": "OK",
                        "registration_token": .string(registration),
                    ],
                    ["apns_token": "short", "status": "INVALID_ARGUMENT"],
                ]
            )
            let sent = try emulator.send(
                #"{"message":{"token":"\#(registration)","data":{"a":"1"}}}"#
            )
            #expect(sent.status == 200)
            let again = try emulator.post("/iid/v1:batchImport", body([token])).json
            #expect(
                again?["results"]?.arrayValue?.first?["registration_token"]
                    == .string(registration)
            )
            let device = try emulator.inboxes().last
            #expect(device?["platform"] == "apple")
            #expect(device?["received"]?.arrayValue?.count == 1)
            let many = Array(repeating: token, count: 100)
            #expect(try emulator.post("/iid/v1:batchImport", body(many)).status == 200)
            #expect(try emulator.post("/iid/v1:batchImport", body(many + many)).status == 400)
            #expect(try emulator.post("/iid/v1:batchImport", body([])).status == 400)
            #expect(
                try emulator.post("/iid/v1:batchImport", #"{"apns_tokens":["x"]}"#).json
                    == ["error": "InvalidJson"]
            )
        }
    }

    @Test(.covers("F2.1-import"))
    func `importing an APNs token again returns the current registration`() async throws {
        let apns = String(repeating: "0a", count: 32)
        let first = "apns:APA91b\(apns)"
        func imported(_ emulator: TestEmulator) throws -> [JSONValue] {
            let body =
                #"{"application":"com.example","sandbox":false,"apns_tokens":["\#(apns)","\#(apns)"]}"#
            let answer = try emulator.post("/iid/v1:batchImport", body)
            return try #require(answer.json?["results"]?.arrayValue)
        }
        func result(_ registration: String?) -> JSONValue {
            var result: JSONObject = ["apns_token": .string(apns)]
            result["status"] = registration == nil ? "NOT_FOUND" : "OK"
            result["registration_token"] = registration.map { .string($0) }
            return .object(result)
        }
        try await TestEmulator.run { (emulator, _) async throws in
            #expect(try imported(emulator) == [result(first), result(first)])
            let path = "/emulator/v1/devices/apns-\(apns)"
            _ = try emulator.post("\(path)/registration", #"{"registration":"rotated:1"}"#)
            #expect(try imported(emulator) == [result("rotated:1"), result("rotated:1")])
            #expect(try emulator.send(#"{"message":{"token":"rotated:1"}}"#).status == 200)
            _ = try emulator.request("PATCH", path, #"{"installed":false}"#)
            _ = try emulator.send(#"{"message":{"token":"rotated:1"}}"#)
            // APNs reports the removal a day later.
            _ = try emulator.request("PUT", "/emulator/v1/clock", #"{"advance":"86400s"}"#)
            #expect(try imported(emulator) == [result(nil), result(nil)])
            #expect(try emulator.inboxes().count == 4)
        }
    }

    @Test(.covers("F2.1-import"))
    func `an imported APNs token takes neither name nor registration from another device`()
        async throws
    {
        let apns = String(repeating: "0b", count: 32)
        let other = String(repeating: "0c", count: 32)
        let third = String(repeating: "0d", count: 32)
        try await TestEmulator.run { (emulator, _) async throws in
            let devices =
                #"[{"name":"apns-\#(apns)","platform":"web","registration":"mine"},{"name":"owner","platform":"apple","registration":"apns:APA91b\#(other)"}]"#
            #expect(try emulator.post("/emulator/v1/devices", devices).status == 200)
            let body =
                #"{"application":"com.example","sandbox":false,"apns_tokens":["\#(apns)","\#(other)","\#(third)"]}"#
            let answer = try emulator.post("/iid/v1:batchImport", body).json
            let results = try #require(answer?["results"]?.arrayValue)
            #expect(results.map { $0["status"] } == ["OK", "OK", "OK"])
            for token in [apns, other, third] {
                let sent = #"{"message":{"token":"apns:APA91b\#(token)","data":{"a":"1"}}}"#
                #expect(try emulator.send(sent).status == 200)
            }
            #expect(try emulator.received(by: "apns-\(apns)").isEmpty)
            #expect(try emulator.received(by: "apns-\(apns)-2").count == 1)
            #expect(try emulator.received(by: "owner").count == 1)
            #expect(try emulator.received(by: "apns-\(third)").count == 1)
            #expect(try emulator.send(#"{"message":{"token":"mine"}}"#).status == 200)
        }
    }

    @Test(.covers("A13", "F2.3-rate"))
    func `refuses membership changes above the configured rate`() async throws {
        let limits = DeliveryLimits(membershipChangesPerSecond: 3)
        try await TestEmulator.run(limits: limits) { (emulator, _) async throws in
            let tokens = #"["pixel","iphone","browser"]"#
            let batch = #"{"to":"/topics/t","registration_tokens":\#(tokens)}"#
            let statuses = try (0..<50).map { _ in
                try emulator.post("/iid/v1:batchAdd", batch)
            }
            #expect(statuses.first?.status == 200)
            let refused = try #require(statuses.first { $0.status != 200 })
            #expect(refused.status == 429)
            #expect(refused.json == ["error": "RESOURCE_EXHAUSTED"])
        }
    }
}
