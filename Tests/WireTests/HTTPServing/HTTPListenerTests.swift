import CurlTransport
import HTTPServing
import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPListenerTests {
    /// Serves one page, and runs `body` with a client.
    private func withPage(
        _ body: (CurlTransport, _ url: String) async throws -> Void
    ) async throws {
        let listener = try await HTTPListener.start(host: "127.0.0.1", port: 0) { path in
            guard path == "/page" else { return HTTPAnswer(status: 404) }
            return HTTPAnswer(
                status: 503,
                headers: [HTTPHeader(name: "Content-Type", value: "text/plain")],
                body: Array("tides".utf8)
            )
        }
        let transport = CurlTransport()
        do {
            try await body(transport, "http://127.0.0.1:\(listener.port)")
        } catch {
            await transport.shutdown()
            await listener.stop()
            throw error
        }
        await transport.shutdown()
        await listener.stop()
    }

    @Test func `serves pages by path and ignores the query`() async throws {
        try await withPage { transport, url in
            for target in ["/page", "/page?x=1"] {
                let answer = try await transport.send(HTTPRequest(method: .get, url: url + target))
                #expect(answer.status == 503)
                #expect(answer.body == Array("tides".utf8))
                #expect(answer.header("content-type") == "text/plain")
                #expect(answer.header("cache-control") == "no-store")
            }
            let other = try await transport.send(HTTPRequest(method: .get, url: url + "/"))
            #expect(other.status == 404)
        }
    }

    @Test func `answers only GET and HEAD`() async throws {
        try await withPage { transport, url in
            let request = HTTPRequest(method: .post, url: url + "/page", body: Array("x".utf8))
            let answer = try await transport.send(request)
            #expect(answer.status == 405)
            #expect(answer.header("allow") == "GET, HEAD")
        }
    }

    @Test func `reports a port that is in use`() async throws {
        let first = try await HTTPListener.start(host: "127.0.0.1", port: 0) { _ in
            HTTPAnswer(status: 200)
        }
        await #expect(throws: HTTPListener.Failure.addressInUse) {
            _ = try await HTTPListener.start(host: "127.0.0.1", port: first.port) { _ in
                HTTPAnswer(status: 200)
            }
        }
        await first.stop()
    }
}
