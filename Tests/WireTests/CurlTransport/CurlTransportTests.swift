import CurlTransport
import HTTPTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CurlTransportTests {
    private static func echo(_ request: RawServer.Received) -> RawServer.Reaction {
        let path = request.path
        return .answer("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
    }

    @Test(.covers("M02"))
    func `answers 500 requests over 16 connections, each seen once`() async throws {
        try await withRawServer(maximumConnections: 16, Self.echo) { transport, server in
            let answers = try await withThrowingTaskGroup(of: (String, HTTPAnswer).self) { group in
                for number in 0..<500 {
                    group.addTask {
                        let request = HTTPRequest(
                            method: .post,
                            url: server.url("/\(number)"),
                            body: Array("body \(number)".utf8)
                        )
                        return ("/\(number)", try await transport.send(request))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(answers.count == 500)
            #expect(answers.allSatisfy { path, answer in answer.body == Array(path.utf8) })
            let record = server.record
            #expect(record.requests.count == 500)
            #expect(Set(record.requests.map(\.path)).count == 500)
            #expect(
                record.requests.allSatisfy { $0.body == Array("body \($0.path.dropFirst())".utf8) }
            )
            #expect(record.transcripts.count <= 16)
        }
    }

    @Test func `uses one connection for sequential requests`() async throws {
        try await withRawServer(Self.echo) { transport, server in
            for number in 0..<20 { _ = try await transport.get(server.url("/\(number)")) }
            #expect(server.record.transcripts.count == 1)
        }
    }

    @Test func `no origin waits for another`() async throws {
        try await withRawServer(maximumConnections: 1) { _ in
            .nothing
        } _: { transport, slow in
            let quick = try RawServer(Self.echo)
            defer { quick.stop() }
            let held = Task {
                await transport.failure(HTTPRequest(method: .get, url: slow.url("/")))
            }
            await slow.wait { $0.requests.count == 1 }
            let status = try await transport.get(quick.url("/")).status
            #expect(status == 200)
            held.cancel()
            _ = await held.value
        }
    }

    @Test func `prepares by opening a connection and closing it again`() async throws {
        try await withRawServer(Self.echo) { transport, server in
            try await transport.prepare(server.url("/"))
            await server.wait { $0.closedConnections == 1 }
            #expect(server.record.transcripts == [[]])
            let status = try await transport.get(server.url("/a")).status
            #expect(status == 200)
        }
    }

    @Test func `preparing fails if nothing listens`() async throws {
        let transport = CurlTransport()
        let url = "http://127.0.0.1:\(try unusedPort())/"
        let error = await #expect(throws: TransportError.self) { try await transport.prepare(url) }
        #expect(error?.fate == .notSent)
        #expect(error?.reason == .refusedConnection)
        await transport.shutdown()
    }

    @Test func `fails open requests on shutdown`() async throws {
        try await withRawServer(maximumConnections: 1) { _ in
            .nothing
        } _: { transport, server in
            let flying = Task {
                await transport.failure(HTTPRequest(method: .get, url: server.url("/flying")))
            }
            await server.wait { $0.requests.count == 1 }
            let waiting = Task {
                await transport.failure(HTTPRequest(method: .get, url: server.url("/waiting")))
            }
            // Allow time for the request to enter the queue.
            let third = HTTPRequest(
                method: .get,
                url: server.url("/third"),
                timeLimit: .milliseconds(50)
            )
            #expect(await transport.failure(third)?.reason == .timedOut)
            await transport.shutdown()
            await server.wait { $0.closedConnections == 1 }
            let (first, second) = (await flying.value, await waiting.value)
            #expect(first?.reason == .cancelled)
            #expect(first?.fate == .perhapsSent)
            #expect(second?.reason == .cancelled)
            #expect(second?.fate == .notSent)
            let late = await transport.failure(HTTPRequest(method: .get, url: server.url("/late")))
            #expect(late?.reason == .cancelled)
            #expect(late?.fate == .notSent)
            #expect(server.record.requests.map(\.path) == ["/flying"])
        }
    }

    @Test func `closes its connections with its last reference`() async throws {
        let server = try RawServer(Self.echo)
        var transport: CurlTransport? = CurlTransport()
        _ = try await transport?.get(server.url("/"))
        transport = nil
        await server.wait { $0.closedConnections == 1 }
        #expect(server.record.requests.count == 1)
        server.stop()
    }
}
