import CurlTransport
import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TransportFateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let bodyLength: Int
        let reaction: RawServer.Reaction
        var readsBodies = true

        var testDescription: String {
            "\(method.rawValue), \(bodyLength) bytes, \(reaction), body read: \(readsBodies)"
        }
    }

    /// libcurl itself repeats all of these on a second connection, except those with a written
    /// body.
    @Test(arguments: [
        Case(method: .post, bodyLength: 100, reaction: .close),
        Case(method: .post, bodyLength: 100, reaction: .reset),
        Case(method: .post, bodyLength: 0, reaction: .close),
        Case(method: .post, bodyLength: 0, reaction: .reset),
        Case(method: .post, bodyLength: 100, reaction: .close, readsBodies: false),
        Case(method: .post, bodyLength: 4_000_000, reaction: .close, readsBodies: false),
        Case(method: .post, bodyLength: 4_000_000, reaction: .reset, readsBodies: false),
        Case(method: .patch, bodyLength: 100, reaction: .close),
        Case(method: .get, bodyLength: 0, reaction: .close),
        Case(method: .get, bodyLength: 0, reaction: .reset),
        Case(method: .delete, bodyLength: 0, reaction: .close),
        Case(method: .delete, bodyLength: 0, reaction: .reset),
        Case(method: .get, bodyLength: 0, reaction: .closeEverything),
    ])
    func `sends a request once if a reused connection ends without an answer`(
        _ example: Case
    ) async throws {
        try await withRawServer(readsBodies: example.readsBodies) { request in
            request.path == "/lost" ? example.reaction : .answer(emptyRawAnswer)
        } _: { transport, server in
            _ = try await transport.get(server.url("/before"))
            let error = await transport.failure(
                HTTPRequest(
                    method: example.method,
                    url: server.url("/lost"),
                    body: .init(repeating: 65, count: example.bodyLength)
                )
            )
            #expect(error?.fate == .perhapsSent)
            #expect(error?.reason == .lostConnection)
            if case .closeEverything = example.reaction {
            } else {
                let status = try await transport.get(server.url("/after")).status
                #expect(status == 200)
            }
            let record = server.record
            #expect(record.count(of: "\(example.method.rawValue) /lost") == 1)
            #expect(record.requests.first { $0.path == "/lost" }?.connection == 0)
        }
    }

    @Test func `counts a request as perhaps sent if a new connection ends without an answer`()
        async throws
    {
        try await withRawServer { _ in
            .close
        } _: { transport, server in
            let error = await transport.failure(HTTPRequest(method: .post, url: server.url("/")))
            #expect(error?.fate == .perhapsSent)
            #expect(error?.reason == .lostConnection)
            #expect(server.record.count(of: "POST /") == 1)
        }
    }

    @Test func `replaces a connection that has ended between requests`() async throws {
        try await withRawServer { _ in
            .answerAndClose(emptyRawAnswer)
        } _: { transport, server in
            _ = try await transport.get(server.url("/first"))
            await server.wait { $0.closedConnections == 1 }
            let answer = try await transport.send(
                HTTPRequest(method: .post, url: server.url("/second"), body: [1])
            )
            #expect(answer.status == 200)
            #expect(server.record.requests.map(\.connection) == [0, 1])
        }
    }

    @Test func `counts a refused connection as not sent`() async throws {
        let transport = CurlTransport()
        let url = "http://127.0.0.1:\(try unusedPort())/"
        let error = await transport.failure(HTTPRequest(method: .post, url: url, body: [1]))
        #expect(error?.fate == .notSent)
        #expect(error?.reason == .refusedConnection)
        await transport.shutdown()
    }

    /// A label of a host name has at most 63 characters, so no name server is queried.
    @Test func `counts a host without an address as not sent`() async throws {
        let transport = CurlTransport()
        let host = String(repeating: "a", count: 64) + ".invalid"
        let error = await transport.failure(HTTPRequest(method: .post, url: "http://\(host)/"))
        #expect(error?.fate == .notSent)
        #expect(error?.reason == .unresolvedHost)
        await transport.shutdown()
    }

    @Test func `counts a failed TLS handshake as not sent`() async throws {
        let server = try RawServer(greeting: "this is not TLS\r\n") { _ in .nothing }
        let transport = CurlTransport()
        let url = "https://127.0.0.1:\(server.port)/"
        let error = await transport.failure(HTTPRequest(method: .post, url: url))
        #expect(error?.fate == .notSent)
        #expect(error?.reason == .failedTLS)
        await transport.shutdown()
        server.stop()
    }

    @Test(arguments: [
        "", "/path", "example.org", "ftp://127.0.0.1/", "file:///etc/passwd", "http://",
        "https:///path", "http://127.0.0.1:99999999/", "http://127.0.0.1/\u{0}",
    ])
    func `rejects anything but absolute http and https URLs`(_ url: String) async throws {
        let transport = CurlTransport()
        let error = await transport.failure(HTTPRequest(method: .get, url: url))
        #expect(error?.fate == .notSent)
        #expect(error?.reason == .badURL)
        await transport.shutdown()
    }

    @Test(arguments: [
        HTTPHeader(name: "X-A", value: "1\r\nX-B: 2"), HTTPHeader(name: "X-A\r\nX-B", value: "1"),
        HTTPHeader(name: "", value: "1"),
        HTTPHeader(name: "X-A", value: "1\u{0}2"), HTTPHeader(name: "X A", value: "1"),
    ])
    func `rejects a header that would become several headers`(_ header: HTTPHeader) async throws {
        try await withRawServer { _ in
            .answer(emptyRawAnswer)
        } _: { transport, server in
            let error = await transport.failure(
                HTTPRequest(method: .get, url: server.url("/"), headers: [header])
            )
            #expect(error?.fate == .notSent)
            #expect(server.record.transcripts.isEmpty)
        }
    }
}
