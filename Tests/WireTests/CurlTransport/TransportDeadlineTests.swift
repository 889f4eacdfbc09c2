import CurlTransport
import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TransportDeadlineTests {
    private let short = Duration.milliseconds(100)

    private func post(_ url: String, _ timeLimit: Duration = .seconds(30)) -> HTTPRequest {
        HTTPRequest(method: .post, url: url, body: [1], timeLimit: timeLimit)
    }

    @Test func `times out as perhaps sent if no answer arrives`() async throws {
        try await withRawServer { _ in
            .nothing
        } _: { transport, server in
            let error = await transport.failure(post(server.url("/"), short))
            #expect(error?.fate == .perhapsSent)
            #expect(error?.reason == .timedOut)
        }
    }

    @Test func `times out as not sent while the connection is not open`() async throws {
        let listener = try FullListener()
        let transport = CurlTransport()
        let url = "http://127.0.0.1:\(listener.port)/"
        let error = await transport.failure(post(url, short))
        #expect(error?.fate == .notSent)
        #expect(error?.reason == .timedOut)
        await transport.shutdown()
    }

    @Test func `stops connecting after a separate limit`() async throws {
        let listener = try FullListener()
        let transport = CurlTransport(configuration: .init(connectTimeLimit: short))
        let url = "http://127.0.0.1:\(listener.port)/"
        let error = await transport.failure(post(url))
        #expect(error?.fate == .notSent)
        #expect(error?.reason == .timedOut)
        await transport.shutdown()
    }

    @Test func `counts the time in the queue, and times out there as not sent`() async throws {
        try await withRawServer(maximumConnections: 1) { _ in
            .nothing
        } _: { transport, server in
            let first = Task { await transport.failure(post(server.url("/first"))) }
            await server.wait { $0.requests.count == 1 }
            let error = await transport.failure(post(server.url("/second"), short))
            #expect(error?.fate == .notSent)
            #expect(error?.reason == .timedOut)
            first.cancel()
            #expect(await first.value?.fate == .perhapsSent)
            #expect(server.record.count(of: "POST /second") == 0)
        }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `sends nothing if the time limit is zero or negative`(_ limit: Duration) async throws {
        try await withRawServer { _ in
            .answer(emptyRawAnswer)
        } _: { transport, server in
            let error = await transport.failure(post(server.url("/"), limit))
            #expect(error?.fate == .notSent)
            #expect(error?.reason == .timedOut)
            #expect(server.record.transcripts.isEmpty)
        }
    }

    @Test func `accepts any long time limit`() async throws {
        try await withRawServer { _ in
            .answer(emptyRawAnswer)
        } _: { transport, server in
            let answer = try await transport.send(
                post(server.url("/"), .seconds(Int64.max))
            )
            #expect(answer.status == 200)
        }
    }

    @Test func `cancels an open request as perhaps sent and ends its connection`() async throws {
        try await withRawServer {
            $0.path == "/held" ? .nothing : .answer(emptyRawAnswer)
        } _: {
            transport,
            server in
            let task = Task { await transport.failure(post(server.url("/held"))) }
            await server.wait { $0.requests.count == 1 }
            task.cancel()
            let error = await task.value
            #expect(error?.fate == .perhapsSent)
            #expect(error?.reason == .cancelled)
            await server.wait { $0.closedConnections == 1 }
            let status = try await transport.get(server.url("/after")).status
            #expect(status == 200)
            #expect(server.record.requests.map(\.connection) == [0, 1])
        }
    }

    @Test func `cancels a queued request as not sent`() async throws {
        try await withRawServer(maximumConnections: 1) { _ in
            .nothing
        } _: { transport, server in
            let first = Task { await transport.failure(post(server.url("/first"))) }
            await server.wait { $0.requests.count == 1 }
            let second = Task { await transport.failure(post(server.url("/second"))) }
            // Allow time for the second request to enter the queue.
            _ = await transport.failure(post(server.url("/third"), short))
            second.cancel()
            let error = await second.value
            #expect(error?.fate == .notSent)
            #expect(error?.reason == .cancelled)
            first.cancel()
            _ = await first.value
            #expect(server.record.transcripts.count == 1)
        }
    }

    /// The server receives the client's first TLS message and sends nothing.
    @Test func `cancels a request during the TLS handshake as not sent`() async throws {
        try await withRawServer { _ in
            .nothing
        } _: { transport, server in
            let url = "https://127.0.0.1:\(server.port)/"
            let task = Task { await transport.failure(post(url)) }
            await server.wait { $0.transcripts.first?.isEmpty == false }
            task.cancel()
            let error = await task.value
            #expect(error?.fate == .notSent)
            #expect(error?.reason == .cancelled)
        }
    }

    @Test func `sends nothing in a task that is already cancelled`() async throws {
        try await withRawServer { _ in
            .answer(emptyRawAnswer)
        } _: { transport, server in
            let error = await withTaskGroup(of: TransportError?.self) { group in
                group.cancelAll()
                group.addTask { await transport.failure(post(server.url("/"))) }
                return await group.next() ?? nil
            }
            #expect(error?.fate == .notSent)
            #expect(error?.reason == .cancelled)
            #expect(server.record.transcripts.isEmpty)
        }
    }
}
