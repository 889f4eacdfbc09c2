import EmulatorAPI
import Glibc
import Testing

@testable import EmulatorServer

struct HTTP1DeliveryTests {
    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: fcm.googleapis.com\r\n\(fields)\r\n"
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `delayed and slow answers are complete, and the next answer follows`() async throws {
        let deliveries: [String: AnswerDelivery] = [
            "/late": .delayed(milliseconds: 20), "/slow": .slow(bytesPerSecond: 2_000),
        ]
        try await AnsweringServer.run(deliveries) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("/late") + get("/slow") + get("/whole"))
            for _ in 0..<3 {
                let answer = try client.receive()
                #expect(answer.status == 200)
                #expect(answer.body == AnsweringServer.body)
            }
        }
    }

    @Test func `a truncated answer ends early with its connection`() async throws {
        try await AnsweringServer.run(["/cut": .truncated(afterBytes: 7)]) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("/cut"))
            let (bytes, problem) = client.receiveRest()
            #expect(text(bytes).contains("content-length: 100\r\n"))
            #expect(text(bytes).hasSuffix("\r\n\r\n0123456"))
            #expect(problem == 0)
        }
    }

    @Test func `an answer that is truncated after its end lacks its last byte`() async throws {
        try await AnsweringServer.run(["/cut": .truncated(afterBytes: 1_000)]) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("/cut"))
            #expect(
                text(client.receiveRest().bytes).hasSuffix(
                    "\r\n\r\n" + text(AnsweringServer.body.dropLast())
                )
            )
        }
    }

    @Test func `an answer without a body can be truncated and slow`() async throws {
        let deliveries: [String: AnswerDelivery] = [
            "/empty/cut": .truncated(afterBytes: 7), "/empty/slow": .slow(bytesPerSecond: 1),
        ]
        try await AnsweringServer.run(deliveries) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("/empty/slow") + get("/empty/cut"))
            #expect(try client.receive().body.isEmpty)
            #expect(text(client.receiveRest().bytes).hasSuffix("content-length: 0\r\n\r\n"))
        }
    }

    @Test func `a connection without an answer stays open`() async throws {
        try await AnsweringServer.run(["/never": .never]) { server in
            let silent = try LoopbackClient(url: server.url)
            try silent.send(get("/never"))
            let other = try LoopbackClient(url: server.url)
            try other.send(get("/whole") + get("/whole"))
            _ = try other.receive()
            _ = try other.receive()
            #expect(silent.isSilent())
        }
    }

    @Test(arguments: [AnswerDelivery.resetConnection, .resetStream(errorCode: 7)])
    func `a reset is a TCP reset`(delivery: AnswerDelivery) async throws {
        try await AnsweringServer.run(["/reset": delivery]) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("/reset"))
            let (bytes, problem) = client.receiveRest()
            #expect(bytes.isEmpty)
            #expect(problem == ECONNRESET)
        }
    }

    @Test func `GOAWAY before the request closes the connection without an answer`() async throws {
        let delivery = AnswerDelivery.goAway(errorCode: 0, lastStream: .beforeThisStream)
        try await AnsweringServer.run(["/away": delivery]) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("/away"))
            #expect(client.isAtEnd())
        }
    }

    @Test func `GOAWAY after the request closes the connection`() async throws {
        let delivery = AnswerDelivery.goAway(errorCode: 0, lastStream: .thisStream)
        try await AnsweringServer.run(["/away": delivery]) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("/away"))
            let answer = try client.receive()
            #expect(answer.headers["connection"] == "close")
            #expect(answer.body == AnsweringServer.body)
            #expect(client.isAtEnd())
        }
    }

    @Test func `an answer without a length is chunked or ends with the connection`() async throws {
        try await AnsweringServer.run(sendsContentLength: false) { server in
            let modern = try LoopbackClient(url: server.url)
            try modern.send(get("/whole", "Connection: close\r\n"))
            let chunked = text(modern.receiveRest().bytes)
            #expect(chunked.contains("transfer-encoding: chunked\r\n"))
            #expect(!chunked.contains("content-length"))
            #expect(chunked.hasSuffix("\r\n64\r\n" + text(AnsweringServer.body) + "\r\n0\r\n\r\n"))
            let old = try LoopbackClient(url: server.url)
            try old.send("GET /whole HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let plain = text(old.receiveRest().bytes)
            #expect(plain.contains("connection: close\r\n"))
            #expect(plain.hasSuffix("\r\n\r\n" + text(AnsweringServer.body)))
        }
    }

    @Test func `a proxy's absolute form is the same target`() async throws {
        try await AnsweringServer.run(["/cut?a": .truncated(afterBytes: 0)]) { server in
            let client = try LoopbackClient(url: server.url)
            try client.send(get("http://metadata.google.internal/cut?a"))
            #expect(text(client.receiveRest().bytes).hasSuffix("\r\n\r\n"))
        }
    }

    @Test func `input that is neither HTTP version is answered with 400`() async throws {
        try await AnsweringServer.run { server in
            let client = try LoopbackClient(url: server.url)
            try client.send("PRI * HTTP/2.0\r\n\r\nSN\r\n\r\n")
            #expect(text(client.receiveRest().bytes).hasPrefix("HTTP/1.1 4"))
        }
    }
}
