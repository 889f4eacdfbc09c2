import Dispatch
import Glibc
import Synchronization

/// A server on plain sockets on 127.0.0.1 that records everything it receives.
///
/// A class, because the test and the server's thread share it.
final class RawServer: Sendable {
    struct Received: Sendable {
        /// Counted from 0, in the order of acceptance.
        let connection: Int
        let method: String
        let path: String
        /// The received request line and headers.
        let head: String
        let body: [UInt8]
    }

    enum Reaction: Sendable {
        case answer(String)
        case answerBytes([UInt8])
        case answerAndClose(String)
        /// Sends no answer.
        case nothing
        case close
        case reset
        /// Closes the connection and accepts no other.
        case closeEverything
    }

    struct Record: Sendable {
        var requests: [Received] = []
        /// Every received byte, by connection.
        var transcripts: [[UInt8]] = []
        var closedConnections = 0

        /// Returns how many request lines start like this, including incomplete requests.
        func count(of start: String) -> Int {
            transcripts.map { Self.count(Array(start.utf8), in: $0) }.reduce(0, +)
        }

        private static func count(_ needle: [UInt8], in bytes: [UInt8]) -> Int {
            guard bytes.count >= needle.count else { return 0 }
            return (0...(bytes.count - needle.count)).count { start in
                bytes[start] == needle[0]
                    && bytes[start..<(start + needle.count)].elementsEqual(needle)
            }
        }
    }

    private struct State {
        var record = Record()
        var waiting:
            [(isMet: @Sendable (Record) -> Bool, waiter: CheckedContinuation<Void, Never>)] = []
    }

    let port: UInt16
    private let state = Mutex(State())
    private let stopper: Int32

    /// Creates a server.
    ///
    /// If `readsBodies` is false, the server reacts after the head of a request. The greeting is
    /// sent before any request.
    init(
        readsBodies: Bool = true,
        greeting: String = "",
        _ react: @escaping @Sendable (Received) -> Reaction
    ) throws {
        let (listener, port) = try listenOnLoopback(backlog: 512)
        var pipe: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, rawStreamSocket, 0, &pipe) == 0 else { throw RawSocketError() }
        stopper = pipe[0]
        self.port = port
        let stop = pipe[1]
        DispatchQueue(label: "RawServer").async { [self] in
            var service = RawService(
                server: self,
                listener: listener,
                stop: stop,
                readsBodies: readsBodies,
                greeting: greeting,
                react: react
            )
            service.run()
        }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    var record: Record { state.withLock { $0.record } }

    /// Returns when the record meets the condition.
    func wait(until isMet: @escaping @Sendable (Record) -> Bool) async {
        await withCheckedContinuation { waiter in
            note { _ in
            } also: {
                $0.waiting.append((isMet, waiter))
            }
        }
    }

    func stop() {
        close(stopper)
    }

    func note(_ change: (inout Record) -> Void) {
        note(change) { _ in }
    }

    private func note(_ change: (inout Record) -> Void, also: (inout State) -> Void) {
        let met = state.withLock { state in
            change(&state.record)
            also(&state)
            let record = state.record
            let met = state.waiting.filter { $0.isMet(record) }
            state.waiting.removeAll { $0.isMet(record) }
            return met
        }
        for (_, waiter) in met { waiter.resume() }
    }
}
