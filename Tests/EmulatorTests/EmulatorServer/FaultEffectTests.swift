import EmulatorServer
import FoundationEssentials
import JSON
import TestSupport
import Testing

struct FaultEffectTests {
    private func put(_ rules: String, to emulator: TestEmulator) throws {
        let answer = try emulator.request(
            "PUT",
            "/emulator/v1/faults",
            "{\"rules\":[\(rules)]}",
            authorization: nil
        )
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }

    private func lastLine(_ directory: TemporaryDirectory) throws -> JSONValue {
        let line = try directory.logText().split(separator: "\n").last
        return try #require(line.flatMap { JSONValue(parsing: String($0)) })
    }

    @Test func `a fault before acceptance withholds the message, and one after it does not`()
        async throws
    {
        try await TestEmulator.run { (emulator, directory) async throws in
            for (accepted, received) in [("false", 0), ("true", 1)] {
                try put(
                    #"{"id":"r","accepted":\#(accepted),"answer":{"error":"UNAVAILABLE"}}"#,
                    to: emulator
                )
                let answer = try emulator.send(#"{"message":{"token":"pixel","data":{"a":"1"}}}"#)
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"] == nil)
                #expect(try emulator.received(by: "pixel").count == received)
                let line = try lastLine(directory)
                #expect(line["status"] == 503)
                #expect(line["fault"]?["rule"] == "r")
                #expect(line["fault"]?["what"] == "503 UNAVAILABLE")
                let effect = received == 1 ? "performed" : "withheld"
                #expect(line["fault"]?["effect"] == .string(effect))
            }
            let concealed = try lastLine(directory)["fault"]?["concealed"]
            #expect(concealed?["status"] == 200)
            let name = try #require(concealed?["answer"]?["name"]?.stringValue)
            let id = try emulator.received(by: "pixel").first?["message_id"]?.stringValue
            #expect(name == "projects/tidewatch/messages/\(id ?? "")")
        }
    }

    @Test func `a replay repeats the effect regardless of the answer`() async throws {
        let directory = try TemporaryDirectory()
        var emulator = try await TestEmulator(directory)
        try put(
            #"""
            {"id":"lost","when":{"nth":1},"accepted":true,"answer":{"error":"UNAVAILABLE"}},
            {"id":"refused","when":{"nth":2},"answer":{"error":"UNAVAILABLE"}},
            {"id":"twice","when":{"nth":3},"duplicate":true},
            {"id":"some","when":{"nth":4},"match":{"registration":"iphone"},
             "answer":{"error":"UNREGISTERED"}}
            """#,
            to: emulator
        )
        for number in 1...3 {
            _ = try emulator.send(#"{"message":{"token":"pixel","data":{"n":"\#(number)"}}}"#)
        }
        for _ in 1...4 { try emulator.subscribe("tides", "pixel", "iphone") }
        let before = try emulator.inboxes()
        let numbers = try emulator.received(by: "pixel").map { $0["data"]?["n"] }
        #expect(numbers == ["1", "3", "3"])
        await emulator.server.stop()

        emulator = try await TestEmulator(directory)
        #expect(try emulator.inboxes() == before)
        await emulator.server.stop()
    }

    @Test func `a restart removes the previous run's script and records that`() async throws {
        let directory = try TemporaryDirectory()
        var emulator = try await TestEmulator(directory)
        try put(#"{"answer":{"error":"INTERNAL"}}"#, to: emulator)
        await emulator.server.stop()

        emulator = try await TestEmulator(directory)
        #expect(try emulator.send(#"{"message":{"token":"pixel"}}"#).status == 200)
        let lines = try directory.logText().split(separator: "\n")
        #expect(lines.count { $0.contains("/emulator/v1/faults") } == 2)
        await emulator.server.stop()

        emulator = try await TestEmulator(directory)
        #expect(try directory.logText().split(separator: "\n").count == lines.count)
        await emulator.server.stop()
    }

    @Test func `a batch reports each failed registration and subscribes the others`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            try put(
                #"{"match":{"registration":"iphone"},"answer":{"error":"UNREGISTERED"}}"#,
                to: emulator
            )
            let answer = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/tides","registration_tokens":["pixel","iphone","browser"]}"#
            )
            #expect(answer.json == ["results": [[:], ["error": "NOT_FOUND"], [:]]])
            #expect(try lastLine(directory)["fault"]?["except"] == [1])
            _ = try emulator.send(#"{"message":{"topic":"tides"}}"#)
            #expect(try emulator.received(by: "iphone").isEmpty)
            #expect(try emulator.received(by: "browser").count == 1)
        }
    }

    @Test
    func `a batch with errors has the header fields of the rule and records them`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            try put(
                #"{"match":{"registration":"iphone"},"answer":{"error":"TOO_MANY_TOPICS","retry_after_seconds":7,"headers":{"X-Front":"a"}}}"#,
                to: emulator
            )
            let answer = try emulator.post(
                "/iid/v1:batchAdd",
                #"{"to":"/topics/tides","registration_tokens":["pixel","iphone","browser"]}"#
            )
            #expect(answer.status == 200)
            #expect(answer.headers["retry-after"] == "7")
            #expect(answer.headers["x-front"] == "a")
            let fault = try lastLine(directory)["fault"]
            #expect(fault?["what"] == "TOO_MANY_TOPICS for 1 of 3, retry-after 7 s")
            #expect(fault?["concealed"] == nil)
        }
    }

    @Test func `the log contains the effect of a batch if its client receives another answer`()
        async throws
    {
        let body = #"{"to":"/topics/tides","registration_tokens":["pixel","iphone"]}"#
        try await TestEmulator.run { (emulator, directory) async throws in
            try put(
                #"{"accepted":true,"match":{"registration":"iphone"},"answer":{"error":"UNREGISTERED"}}"#,
                to: emulator
            )
            let answer = try emulator.post("/iid/v1:batchAdd", body)
            #expect(answer.json == ["results": [[:], ["error": "NOT_FOUND"]]])
            #expect(
                try lastLine(directory)["fault"]?["concealed"]
                    == ["status": 200, "answer": ["results": [[:], [:]]]]
            )
            #expect(try emulator.inboxes().map { $0["topics"] } == [["tides"], ["tides"], []])
        }
        try await TestEmulator.run { (emulator, directory) async throws in
            try put(
                #"{"match":{"registration":"iphone"},"answer":{"error":"UNREGISTERED"},"delivery":{"reset_connection":true}}"#,
                to: emulator
            )
            #expect(throws: (any Error).self) { try emulator.post("/iid/v1:batchAdd", body) }
            let line = try lastLine(directory)
            #expect(line["status"] == 0)
            #expect(line["fault"]?["what"] == "UNREGISTERED for 1 of 2, connection reset")
            #expect(
                line["fault"]?["concealed"]
                    == ["status": 200, "answer": ["results": [[:], ["error": "NOT_FOUND"]]]]
            )
        }
    }

    @Test
    func `imports and device groups are not membership changes and fail in their own format`()
        async throws
    {
        try await TestEmulator.run { (emulator, _) async throws in
            let token = String(repeating: "0a", count: 32)
            let tokens =
                #"{"application":"com.example","sandbox":false,"apns_tokens":["\#(token)"]}"#
            let group =
                #"{"operation":"create","notification_key_name":"g","registration_ids":["pixel"]}"#
            for (service, status) in [("MEMBERSHIP", 200), ("ANY", 503)] {
                try put(
                    #"{"match":{"service":"\#(service)"},"answer":{"error":"UNAVAILABLE"}}"#,
                    to: emulator
                )
                let imported = try emulator.post("/iid/v1:batchImport", tokens)
                #expect(imported.status == status)
                let made = try emulator.request(
                    "POST",
                    "/fcm/notification",
                    group,
                    projectID: "1"
                )
                #expect(made.status == status)
                guard status == 503 else { continue }
                #expect(imported.json == ["error": "UNAVAILABLE"])
                #expect(made.json == ["error": "UNAVAILABLE"])
            }
        }
    }

    @Test(.covers("A59-fault", "F3-duplicates"))
    func `a device that matches a condition twice can receive the message twice`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.subscribe("a", "pixel", "iphone")
            try emulator.subscribe("b", "pixel", "browser")
            try put(#"{"duplicate":true}"#, to: emulator)
            let condition = "'a' in topics || 'b' in topics"
            #expect(
                try emulator.send(#"{"message":{"condition":"\#(condition)","data":{"a":"1"}}}"#)
                    .status == 200
            )
            #expect(try emulator.received(by: "pixel").count == 2)
            #expect(try emulator.received(by: "iphone").count == 1)
            #expect(try emulator.received(by: "browser").count == 1)
        }
    }

    @Test func `shows the script with counts and removes it`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let set = try emulator.request(
                "PUT",
                "/emulator/v1/faults",
                #"{"seed":9,"rules":[{"when":{"nth":2},"answer":{"error":"internal"}}]}"#
            )
            #expect(set.json?["seed"] == 9)
            for _ in 1...3 { _ = try emulator.send(#"{"message":{"token":"pixel"}}"#) }
            let shown = try emulator.request("GET", "/emulator/v1/faults").json
            #expect(
                shown == [
                    "seed": 9,
                    "rules": [
                        [
                            "id": "rule-1", "when": ["nth": 2], "answer": ["error": "INTERNAL"],
                            "matched": 3, "fired": 1,
                        ]
                    ],
                ]
            )
            let cleared = try emulator.request("DELETE", "/emulator/v1/faults")
            #expect(cleared.json == ["seed": 9, "rules": []])
        }
    }

    @Test func `counters count accepted requests regardless of their answers`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try put(
                #"""
                {"when":{"nth":1},"accepted":true,"answer":{"error":"UNAVAILABLE"}},
                {"when":{"nth":2},"answer":{"error":"UNAVAILABLE"}}
                """#,
                to: emulator
            )
            for _ in 1...3 { _ = try emulator.send(#"{"message":{"token":"pixel"}}"#) }
            let counters = try emulator.request("GET", "/emulator/v1/counters").json
            let content = counters?["contents"]?.arrayValue?.first
            #expect(content?["accepted"] == 2)
            #expect(content?["refused"] == 1)
            #expect(
                content?["answers"] == [
                    ["status": 503, "code": "UNAVAILABLE", "count": 2],
                    ["status": 200, "code": "OK", "count": 1],
                ]
            )
        }
    }

    @Test func `a refused script changes nothing`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try put(#"{"answer":{"error":"INTERNAL"}}"#, to: emulator)
            let answer = try emulator.request(
                "PUT",
                "/emulator/v1/faults",
                #"{"rules":[{"answer":{"error":"INTERNALL"}}]}"#
            )
            #expect(answer.status == 400)
            let details = answer.json?["error"]?["details"]?.arrayValue
            let violations = details?.first?["fieldViolations"]?.arrayValue
            #expect(violations?.map { $0["field"] } == ["rules[0].answer.error"])
            #expect(try emulator.send(#"{"message":{"token":"pixel"}}"#).status == 500)
        }
    }
}
