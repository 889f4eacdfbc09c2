import CurlTransport
import HTTPServing
import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPReceiverTests {
    /// Answers with the method, the path, a header and the body.
    private func withEcho(
        _ body: (CurlTransport, _ url: String) async throws -> Void
    ) async throws {
        let configuration = HTTPReceiver.Configuration(
            host: "127.0.0.1",
            port: 0,
            identity: nil,
            longestBody: 10
        )
        let receiver = try await HTTPReceiver.start(configuration) { request in
            let seen = "\(request.method) \(request.path) \(request.header("x-seen") ?? "-") "
            return HTTPAnswer(status: 202, body: Array(seen.utf8) + request.body)
        }
        let transport = CurlTransport()
        do {
            try await body(transport, "http://127.0.0.1:\(receiver.port)")
        } catch {
            await transport.shutdown()
            await receiver.stop()
            throw error
        }
        await transport.shutdown()
        await receiver.stop()
    }

    private func post(_ text: String, to url: String, headers: [HTTPHeader] = []) -> HTTPRequest {
        HTTPRequest(method: .post, url: url, headers: headers, body: Array(text.utf8))
    }

    @Test func `receives bodies, paths without queries and headers`() async throws {
        try await withEcho { transport, url in
            let header = HTTPHeader(name: "X-Seen", value: "yes")
            let request = post("0123456789", to: url + "/path?x=1", headers: [header])
            let answer = try await transport.send(request)
            #expect(answer.status == 202)
            #expect(String(decoding: answer.body, as: UTF8.self) == "POST /path yes 0123456789")
            #expect(answer.header("cache-control") == "no-store")
        }
    }

    @Test func `a header that occurs twice counts as missing`() async throws {
        try await withEcho { transport, url in
            let headers = ["a", "b"].map { HTTPHeader(name: "X-Seen", value: $0) }
            let answer = try await transport.send(post("x", to: url + "/", headers: headers))
            #expect(String(decoding: answer.body, as: UTF8.self) == "POST / - x")
        }
    }

    @Test func `refuses longer bodies`() async throws {
        try await withEcho { transport, url in
            let answer = try await transport.send(post("0123456789x", to: url + "/"))
            #expect(answer.status == 413)
            let next = try await transport.send(post("short", to: url + "/"))
            #expect(next.status == 202)
        }
    }

    @Test func `names a certificate that it cannot use`() async throws {
        let identity = HTTPReceiver.Identity(certificate: "/nowhere.pem", key: "/nowhere.key")
        let configuration = HTTPReceiver.Configuration(
            host: "127.0.0.1",
            port: 0,
            identity: identity,
            longestBody: 10
        )
        do {
            _ = try await HTTPReceiver.start(configuration) { _ in HTTPAnswer(status: 200) }
            Issue.record("it started")
        } catch .unusableFile(let path, _) {
            #expect(path == "/nowhere.pem")
        }
    }
}
