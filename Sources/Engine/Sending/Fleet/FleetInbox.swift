import Fleet
import HTTPTransport
import State
import Synchronization

/// Collects the events of a worker until its loop takes them.
///
/// A class, because transports, connections and timers add events that one loop takes.
final class FleetInbox: Sendable {
    enum Event: Sendable {
        /// A timer with this end is over.
        case passed(Duration)
        case replied(FleetTicket, FleetReply)
        case answered(SendOrder, [NumberedAnswer])
        /// The requests of an order could not be built, so none was sent.
        case unread(SendOrder, StateStoreError)
        /// Nil if the fleet no longer has the occurrence.
        case learned(OccurrenceNumber, Result<FleetTerms?, StateStoreError>)
        /// `failure`: why the bearer could not be renewed.
        case renewed(failure: String?)
        /// A send task has ended.
        case sent(task: Int)
        case stop
        case drainIsOver
        case leaveIsOver
    }

    private struct State {
        var events: [Event] = []
        var waiting: CheckedContinuation<[Event], Never>?

        mutating func takeAll() -> [Event] {
            defer { events = [] }
            return events
        }
    }

    private let state = Mutex(State())

    func post(_ event: Event) {
        let woken = state.withLock { state -> (CheckedContinuation<[Event], Never>, [Event])? in
            state.events.append(event)
            return state.waiting.take().map { ($0, state.takeAll()) }
        }
        if let (caller, events) = woken { caller.resume(returning: events) }
    }

    /// Waits for events; for a single loop only.
    func take() async -> [Event] {
        await withCheckedContinuation { caller in
            let events = state.withLock { state -> [Event]? in
                guard state.events.isEmpty else { return state.takeAll() }
                state.waiting = caller
                return nil
            }
            if let events { caller.resume(returning: events) }
        }
    }
}

/// Passes the answers to one order on.
///
/// A class, as its protocol requires.
final class FleetReceiver: AnswerReceiver {
    private let order: SendOrder
    private let inbox: FleetInbox
    private let answers = Mutex<[NumberedAnswer]>([])

    init(_ order: SendOrder, to inbox: FleetInbox) {
        self.order = order
        self.inbox = inbox
    }

    /// Without notes of requests in flight, a crash leaves all released requests unknown.
    func willWrite(_ number: Int) {}

    func read(_ answer: NumberedAnswer) { answers.withLock { $0.append(answer) } }

    func deliver() {
        let arrived = answers.withLock { answers in
            defer { answers = [] }
            return answers
        }
        if !arrived.isEmpty { inbox.post(.answered(order, arrived)) }
    }
}
