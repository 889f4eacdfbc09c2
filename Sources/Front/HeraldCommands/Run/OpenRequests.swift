import HTTPTransport
import Synchronization

/// Counts the requests of a run that have no answer yet.
///
/// A class, because the transports of all windows share it.
final class OpenRequests: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    fileprivate func add(_ count: Int) { number.add(count, ordering: .relaxed) }

    fileprivate func remove(_ count: Int) { number.subtract(count, ordering: .relaxed) }
}

/// Counts the open requests of another transport.
struct CountingTransport: Transport {
    private let transport: any Transport
    private let open: OpenRequests

    init(_ transport: any Transport, in open: OpenRequests) {
        self.transport = transport
        self.open = open
    }

    func prepare(_ url: String) async throws(TransportError) {
        try await transport.prepare(url)
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        open.add(1)
        defer { open.remove(1) }
        return try await transport.send(request)
    }

    func send(_ requests: [NumberedRequest], to receiver: any AnswerReceiver) async {
        open.add(requests.count)
        await transport.send(requests, to: CountingReceiver(receiver, in: open))
    }
}

/// Counts answers before it passes them on.
private final class CountingReceiver: AnswerReceiver {
    private let receiver: any AnswerReceiver
    private let open: OpenRequests

    init(_ receiver: any AnswerReceiver, in open: OpenRequests) {
        self.receiver = receiver
        self.open = open
    }

    func willWrite(_ number: Int) { receiver.willWrite(number) }

    func read(_ answer: NumberedAnswer) {
        open.remove(1)
        receiver.read(answer)
    }

    func deliver() { receiver.deliver() }
}
