import FCMClient
import HTTPTransport
import Synchronization
import Testing

struct RenewingTransportTests {
    private func request(_ bearer: Bearer) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: "http://127.0.0.1:1/iid/v1:batchAdd",
            headers: [bearer.header, HTTPHeader(name: "a", value: "b")],
            body: [1, 2],
            timeLimit: .seconds(7)
        )
    }

    @Test func `retries a rejected token once with another`() async throws {
        let guarded = GuardedTransport(taking: "new")
        let renewed = Mutex(0)
        let bearer = Bearer("old") { () throws(BearerError) in
            renewed.withLock { $0 += 1 }
            return "new"
        }
        let transport = RenewingTransport(transport: guarded, bearer: bearer)
        let old = request(bearer)
        #expect(try await transport.send(old).status == 200)
        // A renewal by another caller counts.
        #expect(try await transport.send(old).status == 200)
        #expect(renewed.withLock(\.self) == 1)
        let seen = guarded.seen
        #expect(
            seen.map { $0.headers[0].value } == [
                "Bearer old", "Bearer new", "Bearer old", "Bearer new",
            ]
        )
        for request in seen {
            #expect(request.url == old.url && request.body == old.body)
            #expect(request.headers.dropFirst() == [HTTPHeader(name: "a", value: "b")])
            #expect(request.timeLimit == .seconds(7))
        }
    }

    @Test(arguments: [true, false])
    func `does not retry a token that cannot be renewed or is rejected again`(
        _ isGiven: Bool
    ) async throws {
        let guarded = GuardedTransport(taking: "none")
        let bearer = Bearer("old") { () throws(BearerError) in
            guard isGiven else { throw BearerError(reason: "invalid_grant") }
            return "new"
        }
        let transport = RenewingTransport(transport: guarded, bearer: bearer)
        #expect(try await transport.send(request(bearer)).status == 401)
        #expect(guarded.seen.count == (isGiven ? 2 : 1))
    }
}

/// Answers 401 to all tokens except one.
private final class GuardedTransport: Transport {
    private let taken: String
    private let requests = Mutex<[HTTPRequest]>([])

    init(taking taken: String) {
        self.taken = taken
    }

    var seen: [HTTPRequest] { requests.withLock { $0 } }

    func prepare(_ url: String) async throws(TransportError) {}

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        requests.withLock { $0.append(request) }
        let isTaken = request.headers.contains(
            HTTPHeader(name: "Authorization", value: "Bearer " + taken)
        )
        return HTTPAnswer(status: isTaken ? 200 : 401)
    }
}
