import EmulatorAPI
import EmulatorServer
import FCMWire
import JSON
import Testing

struct HTTPTests {
    static let message = #"{"message":{"token":"pixel","data":{"a":"1"}}}"#
    static let path = "/v1/projects/p/messages:send"

    @Test func `answers pipelined requests in order`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let wrong = #"{"message":{"token":"nobody:APA91b"}}"#
            let bodies = [Self.message, wrong, Self.message, "{"]
            try emulator.client.send(
                bodies.map { LoopbackClient.text("POST", Self.path, body: $0) }.joined()
            )
            let statuses = try bodies.map { _ in try emulator.client.receive().status }
            #expect(statuses == [200, 404, 200, 400])
        }
    }

    @Test func `a slow client does not block others`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let slow = try LoopbackClient(url: emulator.server.url)
            let text = LoopbackClient.text("POST", Self.path, body: Self.message)
            try slow.send(String(text.dropLast(10)))
            #expect(try emulator.send(Self.message).status == 200)
            try slow.send(String(text.suffix(10)))
            #expect(try slow.receive().status == 200)
            #expect(try emulator.received(by: "pixel").count == 2)
        }
    }

    @Test func `reads a chunked body`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let size = String(Self.message.utf8.count, radix: 16)
            try emulator.client.send(
                "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(Self.message)\r\n0\r\n\r\n"
            )
            #expect(try emulator.client.receive().status == 200)
        }
    }

    @Test func `closes the connection on request`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.client.send(
                "GET /emulator/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            let answer = try emulator.client.receive()
            #expect(answer.headers["connection"] == "close")
            #expect(emulator.client.isAtEnd())
        }
    }

    @Test func `closes the connection of a client that offers another protocol`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.client.send(
                "GET /emulator/v1/health HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n"
                    + "Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAA\r\n\r\n"
            )
            let answer = try emulator.client.receive()
            #expect(answer.status == 200)
            #expect(answer.headers["connection"] == "close")
            #expect(emulator.client.isAtEnd())
        }
    }

    @Test func `refuses a body above 8 MiB and accepts one below`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            let limit = 8 * 1_024 * 1_024
            let padding = String(repeating: " ", count: limit - 2)
            let small = try emulator.post(Self.path, "{}" + padding)
            #expect(small.status == 400)
            let large = try emulator.post(Self.path, "{}" + padding + " ")
            #expect(large.status == 413)
            #expect(large.json?["error"]?["code"] == 413)
            #expect(emulator.client.isAtEnd())
            #expect(try directory.logText().utf8.count < limit + 10_000)
        }
    }

    @Test func `immediately refuses an announced body that is too large`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.client.send(
                "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n"
                    + "Expect: 100-continue\r\n\r\n"
            )
            #expect(try emulator.client.receive().status == 413)
        }
    }

    @Test func `answers Expect with 100 Continue`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try emulator.client.send(
                "POST \(Self.path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n"
                    + "Content-Length: \(Self.message.utf8.count)\r\nExpect: 100-continue\r\n\r\n"
            )
            #expect(try emulator.client.receive().status == 100)
            try emulator.client.send(Self.message)
            #expect(try emulator.client.receive().status == 200)
        }
    }

    @Test func `reports a port that is in use`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let port = try #require(
                emulator.server.url.split(separator: ":").last.flatMap { Int($0) }
            )
            let other = try TemporaryDirectory()
            let configuration = EmulatorConfiguration(directory: other.emulator, port: port)
            await #expect(throws: EmulatorError.portInUse(port)) {
                _ = try await EmulatorService.start(configuration)
            }
            #expect(RunningEmulator.find(in: other.emulator) == nil)
        }
    }
}
