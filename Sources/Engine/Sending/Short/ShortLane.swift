import CampaignModel
package import State
import Time

/// An occurrence of a batch, whose first requests are released.
package struct ShortLane: Sendable {
    /// The position of its send.
    let position: Int
    let sending: ActiveOccurrence
    /// Its list.
    let page: ListPage
    /// When its message expires.
    let end: Instant
    let seat: SharedSends.Seat
    let notes: (any FlightNotes)?
    var machine: DispatchMachine
    /// The skipped requests without a recorded outcome.
    var skipped: SkippedRequests
    var objective: ObjectiveWatch?
}

/// What a batch does with the commands of an occurrence's machine.
enum ShortStep: Hashable {
    /// Waits for more answers.
    case wait
    /// Sends requests for the first time.
    case send([Int])
    /// Ends the occurrence, each of whose requests was accepted, with its last outcomes.
    case complete([RequestOutcome])
    /// Hands the occurrence over to a separate loop, which performs them.
    case handOver

    init(_ commands: [DispatchMachine.Command]) {
        guard let first = commands.first else {
            self = .wait
            return
        }
        switch first {
        case .send(let requests) where commands.count == 1: self = .send(requests)
        case .record(let outcomes, nil)
        where commands.count == 2 && commands[1] == .finish(.complete)
            && outcomes.allSatisfy { $0.outcome == .accepted && $0.detail == nil }:
            self = .complete(outcomes)
        case .record, .send, .wake, .refresh, .hold, .stopRollout, .markDead, .finish:
            self = .handOver
        }
    }

    /// The mark, if the only command is a record that raises it without outcomes; nil for any others.
    static func mark(in commands: [DispatchMachine.Command]) -> Int? {
        guard commands.count == 1, case .record(let outcomes, let released?) = commands[0],
            outcomes.isEmpty
        else { return nil }
        return released
    }
}

/// A complete occurrence of a batch that is not recorded yet.
package struct CompleteSend: Sendable {
    /// The position of its send.
    package let position: Int
    package let sending: ActiveOccurrence
    let seat: SharedSends.Seat
    /// The outcomes that are not recorded.
    package let outcomes: [RequestOutcome]
    /// The outcomes of all of its requests.
    package let tally: OutcomeTally
    /// Nil if it has no objective.
    package let reached: ReachedObjective?

    init(_ lane: ShortLane, outcomes: [RequestOutcome]) {
        position = lane.position
        sending = lane.sending
        seat = lane.seat
        var (skipped, objective) = (lane.skipped, lane.objective)
        reached = objective?.take()
        self.outcomes = outcomes + skipped.take(below: .max)
        var tally = OutcomeTally()
        tally[.suppressed] = sending.skipped.count
        tally[.accepted] = sending.unit.count - tally[.suppressed]
        self.tally = tally
    }
}

/// An occurrence with which a separate loop continues.
package struct HandedOverSend: Sendable {
    /// The position of its send.
    package let position: Int
    package let started: StartedDispatch

    package var sending: ActiveOccurrence { started.sending }
}
