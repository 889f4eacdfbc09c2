import FCMWire
import TestSupport
import Testing

struct InstanceIDTests {
    @Test(
        .covers(
            "A16",
            "A27",
            "F2.1-add",
            "F2.1-invalid-argument",
            "F2.1-not-found",
            "F2.1-remove",
            "F2.1-success",
            "F2.3-creation"
        )
    ) func `answers for each registration in its place`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/tides","registration_tokens":["nobody","pixel","b d",7,"iphone"]}"#
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
                #"{"to":"/topics/tides","registration_tokens":["pixel","browser","nobody"]}"#
            )
            #expect(removal.json == ["results": [[:], [:], ["error": "NOT_FOUND"]]])
            #expect(try emulator.inboxes().map { $0["topics"] } == [[], ["tides"], []])
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
    func `refuses a request as a whole`(body: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.post("/iid/v1:batchAdd", body)
            #expect(answer.status == 400)
            #expect(answer.json?["error"]?.stringValue?.isEmpty == false)
            #expect(try emulator.inboxes().first?["topics"] == [])
        }
    }

    @Test(.covers("A11", "F2.1-max")) func `takes a thousand registrations`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let tokens = Array(repeating: "\"pixel\"", count: 1_000).joined(separator: ",")
            let answer = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/t","registration_tokens":[\#(tokens)]}"#
            )
            #expect(answer.json?["results"]?.arrayValue?.count == 1_000)
        }
    }

    @Test(.covers("F2.1-info")) func `shows the subscriptions of a registration`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("tides", "iphone")
            let info = try emulator.request("GET", "/iid/info/iphone?details=true").json
            #expect(info?["platform"] == "IOS")
            let date = info?["rel"]?["topics"]?["tides"]?["addDate"]?.stringValue
            #expect(date?.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil)
            let short = try emulator.request("GET", "/iid/info/iphone").json
            #expect(short?["rel"] == nil)
            #expect(try emulator.request("GET", "/iid/info/nobody").status == 404)
        }
    }

    @Test(.covers("F2.1-headers")) func `asks for a bearer token`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(
                "POST",
                "/iid/v1:batchAdd",
                #"{"to":"/topics/t","registration_tokens":["pixel"]}"#,
                authorization: nil
            )
            #expect(answer.status == 401)
            #expect(answer.json?["error"]?.stringValue != nil)
        }
    }
}
