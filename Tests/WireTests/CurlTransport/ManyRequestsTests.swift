import CurlTransport
import HTTPTransport
import Synchronization
import Testing

/// Tests requests that are sent together.
@Suite(.timeLimit(.minutes(5)))
struct ManyRequestsTests {
    private static func echo(_ request: RawServer.Received) -> RawServer.Reaction {
        let path = request.path
        return .answer("HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
    }

    /// Collects answers; a class, because the transport adds answers that the test reads.
    private final class Answers: AnswerReceiver {
        private let all = Mutex<[NumberedAnswer]>([])

        private let announced = Mutex<[Int]>([])

        func willWrite(_ number: Int) { announced.withLock { $0.append(number) } }

        func read(_ answer: NumberedAnswer) { all.withLock { $0.append(answer) } }

        func deliver() {}

        /// The requests that were about to be written, in this order.
        var writes: [Int] { announced.withLock(\.self) }

        var numbers: [Int] { all.withLock { $0.map(\.number).sorted() } }

        var bodies: [Int: String] {
            all.withLock { all in
                all.reduce(into: [:]) { bodies, answer in
                    let body = try? answer.outcome.get().body
                    bodies[answer.number] = body.map { String(decoding: $0, as: UTF8.self) }
                }
            }
        }

        var errors: [Int: TransportError] {
            all.withLock { all in
                all.reduce(into: [:]) { errors, answer in
                    if case .failure(let error) = answer.outcome { errors[answer.number] = error }
                }
            }
        }
    }

    private func requests(_ numbers: Range<Int>, to server: RawServer) -> [NumberedRequest] {
        numbers.map { number in
            let url = server.url("/\(number)")
            return NumberedRequest(
                number: number,
                request: HTTPRequest(method: .post, url: url, body: [1])
            )
        }
    }

    @Test
    func `answers each request once and under its number, before the call returns`() async throws {
        try await withRawServer(Self.echo) { transport, server in
            let answers = Answers()
            await withDiscardingTaskGroup { group in
                for first in stride(from: 0, to: 300, by: 100) {
                    let part = requests(first..<first + 100, to: server)
                    group.addTask { await transport.send(part, to: answers) }
                }
            }
            #expect(answers.numbers == Array(0..<300))
            #expect(answers.bodies == .init(uniqueKeysWithValues: (0..<300).map { ($0, "/\($0)") }))
            #expect(server.record.requests.count == 300)
            #expect(answers.writes.sorted() == Array(0..<300))
        }
    }

    @Test func `announces each request before its bytes reach the server`() async throws {
        let answers = Answers()
        let early = Names()
        try await withRawServer { request in
            let known = answers.writes.map { "/\($0)" }
            if !known.contains(request.path) { early.add(request.path) }
            return Self.echo(request)
        } _: { transport, server in
            await transport.send(requests(0..<50, to: server), to: answers)
        }
        #expect(answers.writes.sorted() == Array(0..<50))
        #expect(early.all == [])
    }

    /// A class, because the server's threads add to it.
    private final class Names: Sendable {
        private let names = Mutex<[String]>([])

        func add(_ name: String) { names.withLock { $0.append(name) } }

        var all: [String] { names.withLock(\.self) }
    }

    @Test func `announces no request that is not written`() async throws {
        try await withRawServer(maximumConnections: 2) { _ in
            .nothing
        } _: { transport, server in
            let answers = Answers()
            let sending = Task { await transport.send(requests(0..<5, to: server), to: answers) }
            await server.wait { $0.requests.count == 2 }
            sending.cancel()
            await sending.value
            #expect(answers.writes.sorted() == [0, 1])
        }
    }

    @Test func `requests fail individually`() async throws {
        try await withRawServer(Self.echo) { transport, server in
            let answers = Answers()
            let bad = NumberedRequest(number: 7, request: HTTPRequest(method: .get, url: "nowhere"))
            await transport.send([bad] + requests(0..<2, to: server), to: answers)
            #expect(answers.numbers == [0, 1, 7])
            #expect(answers.errors.mapValues(\.reason) == [7: .badURL])
        }
    }

    @Test func `cancels requests together, with queued ones as not sent`() async throws {
        try await withRawServer(maximumConnections: 2) { _ in
            .nothing
        } _: { transport, server in
            let answers = Answers()
            let part = requests(0..<5, to: server)
            let sending = Task { await transport.send(part, to: answers) }
            await server.wait { $0.requests.count == 2 }
            sending.cancel()
            await sending.value
            #expect(answers.numbers == Array(0..<5))
            #expect(answers.errors.values.allSatisfy { $0.reason == .cancelled })
            #expect(answers.errors.values.count { $0.fate == .perhapsSent } == 2)
            #expect(server.record.requests.count == 2)
        }
    }

    @Test func `all fail if the task was cancelled before, or after shutdown`() async throws {
        try await withRawServer(Self.echo) { transport, server in
            let part = requests(0..<3, to: server)
            let early = Answers()
            await withDiscardingTaskGroup { group in
                group.cancelAll()
                group.addTask { await transport.send(part, to: early) }
            }
            await transport.shutdown()
            let late = Answers()
            await transport.send(part, to: late)
            for answers in [early, late] {
                #expect(answers.errors.keys.sorted() == [0, 1, 2])
                #expect(answers.errors.values.allSatisfy { $0.fate == .notSent })
            }
            #expect(server.record.requests.isEmpty)
        }
    }
}
