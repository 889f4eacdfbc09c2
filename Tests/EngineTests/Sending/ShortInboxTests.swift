import HTTPTransport
import State
import Synchronization
import Testing

@testable import Sending

/// Tests the answers to a batch of short sends.
@Suite(.timeLimit(.minutes(1)))
struct ShortInboxTests {
    /// Remembers the requests that were noted.
    private final class Notes: FlightNotes {
        private let events = Mutex<[Int: [FlightEvent]]>([:])

        func note(_ event: FlightEvent, of request: Int) {
            events.withLock { $0[request, default: []].append(event) }
        }

        subscript(request: Int) -> [FlightEvent] { events.withLock { $0[request] ?? [] } }
    }

    private static func answer(_ request: Int, in lane: Int, status: Int = 200) -> NumberedAnswer {
        NumberedAnswer(
            number: ShortInbox.number(of: request, in: lane),
            outcome: .success(HTTPAnswer(status: status, body: []))
        )
    }

    @Test func `notes requests and answers of each occurrence`() async {
        let notes = (Notes(), Notes())
        let inbox = ShortInbox(notes: [notes.0, nil, notes.1]) { _ in }
        inbox.hurry()
        inbox.willWrite(ShortInbox.number(of: 31, in: 0))
        inbox.willWrite(ShortInbox.number(of: 0, in: 1))
        inbox.willWrite(ShortInbox.number(of: 0, in: 2))
        inbox.read(Self.answer(0, in: 2))
        inbox.deliver()
        #expect(notes.0[31] == [.written(repeatedAfter: nil)])
        #expect(notes.1[0] == [.written(repeatedAfter: nil), .answered(status: 200, body: [])])
        let arrived = await inbox.take()
        #expect(arrived.answers.map(\.lane) == [2])
        #expect(arrived.answers.map(\.answer.number) == [0])
    }

    @Test func `successful answers wait for others, for a tick and for a stop`() async {
        let inbox = ShortInbox(notes: [nil, nil]) { _ in }
        inbox.read(Self.answer(0, in: 0))
        inbox.deliver()
        inbox.read(Self.answer(1, in: 1, status: 503))
        inbox.deliver()
        #expect(await inbox.take().answers.map(\.lane) == [0, 1])
        inbox.read(Self.answer(2, in: 0))
        inbox.deliver()
        inbox.tick()
        let ticked = await inbox.take()
        #expect(ticked.answers.map(\.answer.number) == [2])
        #expect(ticked.isTick && !ticked.isStopped)
        async let taken = inbox.take()
        inbox.read(Self.answer(3, in: 0))
        inbox.deliver()
        inbox.stop()
        let stopped = await taken
        #expect(stopped.answers.map(\.answer.number) == [3])
        #expect(stopped.isStopped && !stopped.isTick)
    }

    @Test func `answers for an occurrence that was handed over go to its own loop`() async {
        let inbox = ShortInbox(notes: [nil, nil]) { _ in }
        let heir = DispatchInbox(notes: nil)
        inbox.read(Self.answer(0, in: 0))
        inbox.read(Self.answer(0, in: 1))
        inbox.handOver(0, to: heir)
        #expect(await heir.take().answers.map(\.number) == [0])
        inbox.read(Self.answer(4, in: 0))
        #expect(await heir.take().answers.map(\.number) == [4])
        inbox.hurry()
        #expect(await inbox.take().answers.map(\.lane) == [1])
    }

    @Test func `answers that wait are counted once`() async {
        let counts = Mutex<[Int]>([])
        let inbox = ShortInbox(notes: [nil, nil]) { count in counts.withLock { $0.append(count) } }
        inbox.read(Self.answer(0, in: 0))
        inbox.read(Self.answer(0, in: 1))
        inbox.deliver()
        inbox.deliver()
        inbox.read(Self.answer(1, in: 1))
        inbox.deliver()
        inbox.handOver(1, to: DispatchInbox(notes: nil))
        inbox.read(Self.answer(2, in: 1))
        inbox.deliver()
        #expect(counts.withLock { $0 } == [2, 1, -2])
    }
}
