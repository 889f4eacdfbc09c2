import CurlTransport
import FCMClient
import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TransportAnswerTests {
    @Test(arguments: [0, 1, 255, 65_536, 1_048_576])
    func `carries a body of any bytes in both directions`(_ length: Int) async throws {
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try await withRawServer { request in
            .answerBytes(
                Array("HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n".utf8)
                    + request.body.reversed()
            )
        } _: { transport, server in
            let answer = try await transport.send(
                HTTPRequest(method: .post, url: server.url("/"), body: body)
            )
            let isWhole = server.record.requests.first?.body == body
            #expect(isWhole)
            let isReversed = answer.body == body.reversed()
            #expect(isReversed)
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, [UInt8](), "GET"), (.delete, [], "DELETE"),
        (.post, [], "POST"), (.patch, [], "PATCH"), (.delete, [120], "DELETE"),
        (.patch, [120], "PATCH"),
    ])
    func `sends each method with and without a body`(
        _ method: HTTPRequest.Method,
        _ body: [UInt8],
        _ name: String
    ) async throws {
        try await withRawServer { _ in
            .answer(emptyRawAnswer)
        } _: { transport, server in
            _ = try await transport.send(
                HTTPRequest(method: method, url: server.url("/p?q=1"), body: body)
            )
            let request = try #require(server.record.requests.first)
            #expect(request.method == name)
            #expect(request.path == "/p?q=1")
            #expect(request.body == body)
            let announcesLength = request.head.lowercased().contains(
                "content-length: \(body.count)"
            )
            #expect(announcesLength == (!body.isEmpty || method == .post || method == .patch))
        }
    }

    @Test func `sends the given headers and few additional ones`() async throws {
        try await withRawServer { _ in
            .answer(emptyRawAnswer)
        } _: { transport, server in
            let headers = [
                HTTPHeader(name: "Authorization", value: "Bearer abc"),
                HTTPHeader(name: "X-Empty", value: ""),
                HTTPHeader(name: "Content-Type", value: "application/json"),
            ]
            let request = HTTPRequest(
                method: .post,
                url: server.url("/"),
                headers: headers,
                body: .init(repeating: 65, count: 2_000_000)
            )
            _ = try await transport.send(request)
            let head = try #require(server.record.requests.first?.head)
            let expected = [
                "POST / HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "User-Agent: test/1",
                "Accept: */*", "Authorization: Bearer abc", "X-Empty:",
                "Content-Type: application/json", "Content-Length: 2000000",
            ]
            #expect(head.split(separator: "\r\n").map(String.init) == expected)
        }
    }

    @Test func `sends other headers with the next request on the same connection`() async throws {
        try await withRawServer { _ in
            .answer(emptyRawAnswer)
        } _: { transport, server in
            for value in ["1", "2", "2"] {
                _ = try await transport.send(
                    HTTPRequest(
                        method: .post,
                        url: server.url("/"),
                        headers: [HTTPHeader(name: "X-A", value: value)]
                    )
                )
            }
            _ = try await transport.get(server.url("/"))
            let heads = server.record.requests.map(\.head)
            #expect(heads.map { $0.contains("X-A: 1") } == [true, false, false, false])
            #expect(heads.map { $0.contains("X-A: 2") } == [false, true, true, false])
            #expect(server.record.transcripts.count == 1)
        }
    }

    @Test func `returns status, ordered headers and body`() async throws {
        let text = """
            HTTP/1.1 429 Too Many Requests\r\nRetry-After:  12 \r\nX-A: 1\r\nx-a: 2\r\nX-Empty:\r
            Content-Length: 4\r\n\r\nslow
            """
        try await withRawServer { _ in
            .answer(text)
        } _: { transport, server in
            let answer = try await transport.get(server.url("/"))
            let expected = HTTPAnswer(
                status: 429,
                headers: [
                    HTTPHeader(name: "Retry-After", value: "12"),
                    HTTPHeader(name: "X-A", value: "1"), HTTPHeader(name: "x-a", value: "2"),
                    HTTPHeader(name: "X-Empty", value: ""),
                    HTTPHeader(name: "Content-Length", value: "4"),
                ],
                body: Array("slow".utf8)
            )
            #expect(answer == expected)
        }
    }

    @Test func `joins a chunked body and drops its trailers`() async throws {
        let text = """
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1;x=y\r\nd\r\n0\r
            X-Trailer: 1\r\n\r\n
            """
        try await withRawServer { _ in
            .answer(text)
        } _: { transport, server in
            for _ in 0..<2 {
                let answer = try await transport.get(server.url("/"))
                #expect(answer.body == Array("abcd".utf8))
                #expect(answer.headers == [HTTPHeader(name: "Transfer-Encoding", value: "chunked")])
            }
            #expect(server.record.transcripts.count == 1)
        }
    }

    @Test func `accepts an answer without content`() async throws {
        try await withRawServer { _ in
            .answer("HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n")
        } _: {
            transport,
            server in
            let answer = try await transport.get(server.url("/"))
            #expect(
                answer == HTTPAnswer(status: 204, headers: [HTTPHeader(name: "X-A", value: "1")])
            )
        }
    }

    @Test func `accepts a body that ends with the connection`() async throws {
        try await withRawServer { _ in
            .answerAndClose("HTTP/1.1 200 OK\r\n\r\nabc")
        } _: {
            transport,
            server in
            let body = try await transport.get(server.url("/")).body
            #expect(body == Array("abc".utf8))
        }
    }

    @Test func `returns the final answer after interim ones`() async throws {
        let text = """
            HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r
            HTTP/1.1 201 Created\r\nX-Final: 1\r\nContent-Length: 1\r\n\r\nx
            """
        try await withRawServer { _ in
            .answer(text)
        } _: { transport, server in
            let answer = try await transport.send(
                HTTPRequest(method: .post, url: server.url("/"), body: [1, 2, 3])
            )
            #expect(answer.status == 201)
            #expect(answer.headers.map(\.name) == ["X-Final", "Content-Length"])
            #expect(answer.body == [120])
        }
    }

    @Test func `follows no redirect and stores no cookie`() async throws {
        try await withRawServer { _ in
            .answer(
                "HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nSet-Cookie: a=1\r\n"
                    + "Content-Length: 0\r\n\r\n"
            )
        } _: { transport, server in
            for _ in 0..<2 {
                let answer = try await transport.send(
                    HTTPRequest(method: .post, url: server.url("/"), body: [1])
                )
                #expect(answer.status == 307)
            }
            let requests = server.record.requests
            #expect(requests.map(\.path) == ["/", "/"])
            #expect(requests.allSatisfy { !$0.head.lowercased().contains("cookie") })
        }
    }

    @Test(arguments: [
        "hello\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
        "HTTP/7.1 200 OK\r\n\r\n",
    ])
    func `an answer that is not HTTP is malformed, and the request may have been sent`(
        _ text: String
    ) async throws {
        try await withRawServer { _ in
            .answerAndClose(text)
        } _: { transport, server in
            let error = await transport.failure(
                HTTPRequest(method: .post, url: server.url("/"), body: [1])
            )
            #expect(error?.fate == .perhapsSent)
            #expect(error?.reason == .malformedAnswer)
            #expect(server.record.count(of: "POST /") == 1)
        }
    }

    @Test func `a truncated answer is a lost connection`() async throws {
        try await withRawServer { _ in
            .answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        } _: { transport, server in
            let error = await transport.failure(HTTPRequest(method: .get, url: server.url("/")))
            #expect(error?.fate == .perhapsSent)
            #expect(error?.reason == .lostConnection)
        }
    }

    @Test(arguments: [(0, true), (1, false)])
    func `accepts an answer of up to 16 MiB`(_ surplus: Int, _ isTaken: Bool) async throws {
        let length = 16 * 1024 * 1024 + surplus
        try await withRawServer { _ in
            .answerBytes(
                Array("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n".utf8)
                    + [UInt8](repeating: 66, count: length)
            )
        } _: { transport, server in
            let request = HTTPRequest(method: .get, url: server.url("/"))
            if isTaken {
                let body = try await transport.send(request).body
                #expect(body.count == length)
                #expect(body.allSatisfy { $0 == 66 })
            } else {
                let error = await transport.failure(request)
                #expect(error?.fate == .perhapsSent)
                #expect(error?.reason == .malformedAnswer)
            }
        }
    }
}
