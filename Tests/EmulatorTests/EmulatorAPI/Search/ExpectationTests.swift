import EmulatorServer
import JSON
import Testing

struct ExpectationTests {
    private static let hello =
        #"{"message":{"token":"pixel","notification":{"title":"Hello"}}}"#

    @Test func `waits for a message that is sent later`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            let waiting = try LoopbackClient(url: emulator.server.url)
            let path = "/emulator/v1/wait?title=Hello&timeout=20s"
            try waiting.send(LoopbackClient.text("GET", path, body: ""))
            _ = try emulator.send(Self.hello)
            let answer = try waiting.receive()
            #expect(answer.status == 200)
            #expect(answer.json?["matches"] == 1)
            #expect(answer.json?["messages"]?.arrayValue?.first?["device"] == "pixel")
        }
    }

    @Test func `waits for a request that is sent later`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            _ = try emulator.send(Self.hello)
            let waiting = try LoopbackClient(url: emulator.server.url)
            let path = "/emulator/v1/wait?for=requests&title=Hello&count=2&timeout=20s"
            try waiting.send(LoopbackClient.text("GET", path, body: ""))
            _ = try emulator.send(Self.hello)
            let answer = try waiting.receive()
            #expect(answer.status == 200)
            #expect(answer.json?["requests"]?.arrayValue?.count == 2)
        }
    }

    @Test(arguments: ["messages", "requests"])
    func `reports the number of matches after the timeout`(kind: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try emulator.send(Self.hello)
            let path = "/emulator/v1/wait?for=\(kind)&title=Hello&count=2&timeout=1s"
            let answer = try emulator.request("GET", path)
            #expect(answer.status == 412)
            #expect(answer.json?["matches"] == 1)
            #expect(answer.json?["error"]?["status"] == "DEADLINE_EXCEEDED")
        }
    }

    @Test func `a failure has the conditions, the matches and the newest messages`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try emulator.send(Self.hello)
            let path = "/emulator/v1/wait?title=Bye&registration=pixel&timeout=1s"
            let answer = try emulator.request("GET", path)
            let message = try #require(answer.json?["error"]?["message"]?.stringValue)
            #expect(message.hasPrefix("Expected at least 1 message with fingerprint="))
            #expect(message.contains(", title=\"Bye\", found 0 after 1s. "))
            #expect(message.contains("The project has 1 message: pixel, tray, "))
            #expect(message.contains("\"Hello\"") && !message.contains("registration"))
            #expect(answer.json?["expected"] == ["at_least": 1])
            #expect(answer.json?["messages"] == [])
            #expect(answer.json?["newest_messages"]?.arrayValue?.count == 1)
        }
    }

    @Test func `a failure without messages has the newest requests`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "/emulator/v1/assert?count=1&project=other&device=nosuch"
            let none = try emulator.request("GET", path)
            let text = try #require(none.json?["error"]?["message"]?.stringValue)
            #expect(text.contains("There is no device \"nosuch\" in this project."))
            #expect(text.contains("No request reached this project"))
            let lost = #"{"message":{"token":"gone:\#(String(repeating: "x", count: 140))"}}"#
            _ = try emulator.request("POST", "/v1/projects/other/messages:send", lost)
            let refused = try emulator.request("GET", path)
            let why = try #require(refused.json?["error"]?["message"]?.stringValue)
            #expect(why.contains("POST /v1/projects/other/messages:send, 404 UNREGISTERED"))
            #expect(refused.json?["newest_requests"]?.arrayValue?.count == 1)
        }
    }

    @Test(arguments: [
        ("wait?timeout=61s", "timeout must be a duration from 0s to 60s"),
        ("wait?titel=x", "Did you mean `title`?"),
        ("assert?count=1&fault=x", "fault applies to requests only"),
        ("search/messages?platform=ios", "platform must be one of android, apple, web."),
        ("devices/nosuch", "There is no device \"nosuch\" in this project."),
    ])
    func `errors name the parameter and the allowed values`(
        path: String,
        text: String
    ) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request("GET", "/emulator/v1/\(path)")
            #expect(answer.json?["error"]?["message"]?.stringValue?.contains(text) == true)
        }
    }

    @Test(arguments: [
        (
            "POST", "devices", #"[{"name":"a","platform":"ios"}]"#,
            "It must be one of android, apple, web."
        ),
        ("POST", "devices", #"[{"name":"a","topic":[]}]"#, "Did you mean 'topics'?"),
        (
            "PUT", "faults", #"{"rules":[{"answer":{"error":"NOPE"}}]}"#,
            "It must be one of APNS_TOO_MANY_REQUESTS, "
        ),
    ])
    func `refusals of bodies have hints`(
        method: String,
        path: String,
        body: String,
        text: String
    ) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request(method, "/emulator/v1/\(path)", body)
            #expect(answer.status == 400)
            #expect(answer.json?["error"]?["message"]?.stringValue?.contains(text) == true)
        }
    }

    @Test(arguments: [
        ("count=1", 200), ("count=2", 412), ("at_least=1", 200), ("at_least=2", 412),
        ("at_most=1", 200), ("at_most=0", 412), ("at_least=0&at_most=1", 200),
        ("for=requests&path=/v1&count=1", 200), ("for=requests&path=/v1&count=0", 412),
        ("count=0&title=Bye", 200), ("", 400), ("count=1&at_most=1", 400),
        ("at_least=2&at_most=1", 400), ("for=devices&count=1", 400),
        ("count=1&status=200", 400), ("for=requests&count=1&device=pixel", 400),
        ("count=x", 400), ("for=requests&count=1", 200), ("for=requests&count=2&control=true", 200),
        ("for=requests&count=1&control=maybe", 400),
    ])
    func `asserts a number of matches`(query: String, status: Int) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try emulator.send(Self.hello)
            let answer = try emulator.request("GET", "/emulator/v1/assert?\(query)")
            #expect(answer.status == status)
        }
    }
}
