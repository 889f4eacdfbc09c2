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

    @Test(arguments: [
        ("count=1", 200), ("count=2", 412), ("at_least=1", 200), ("at_least=2", 412),
        ("at_most=1", 200), ("at_most=0", 412), ("at_least=0&at_most=1", 200),
        ("for=requests&path=/v1&count=1", 200), ("for=requests&path=/v1&count=0", 412),
        ("count=0&title=Bye", 200), ("", 400), ("count=1&at_most=1", 400),
        ("at_least=2&at_most=1", 400), ("for=devices&count=1", 400),
        ("count=1&status=200", 400), ("for=requests&count=1&device=pixel", 400),
        ("count=x", 400),
    ])
    func `asserts a number of matches`(query: String, status: Int) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try emulator.send(Self.hello)
            let answer = try emulator.request("GET", "/emulator/v1/assert?\(query)")
            #expect(answer.status == status)
        }
    }
}
