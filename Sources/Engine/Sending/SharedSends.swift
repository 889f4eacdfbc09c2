package import RateControl

/// The pace and the open requests that the occurrences of a run share.
///
/// It is pure: its caller passes each event of an occurrence through `pass`, one after the other.
///
/// - Invariant: Together, the occurrences never have more requests open than `OpenLimit.most`, and
///   a crash never leaves more of their requests unknown than `OpenLimit.unknown`.
package struct SharedSends: Sendable {
    /// Identifies an occurrence in progress.
    package struct Seat: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// What an occurrence takes of the limits.
    private struct Part {
        var open = 0
        /// The number of requests that a crash would leave unknown.
        var claim = 0
    }

    /// The pace, which the occurrences use in turn.
    package var flow: RequestFlow
    private var parts: [Int: Part] = [:]
    private var lastSeat = 0
    private var sum = Part()
    /// The number of answers that arrived and were not judged; below 0 if an answer was judged before
    /// its arrival was counted.
    private var unjudged = 0
    /// Whether an occurrence could not record its requests: then the others stop, because its claim
    /// stays.
    package private(set) var hasFailed = false

    package init(_ flow: RequestFlow) {
        self.flow = flow
    }

    /// The number of open requests.
    package var open: Int { sum.open - unjudged }
    /// The number of requests that a crash would leave unknown.
    package var claim: Int { sum.claim }

    /// Returns how many requests the pace admits now, at most `count`.
    package func admitted(of count: Int, now: Duration) -> Int {
        var pace = flow.pace
        return pace.take(upTo: count, now: now)
    }

    /// Counts answers that wait to be judged; their requests are not open any more.
    ///
    /// `count`: negative if answers do not wait any longer.
    package mutating func arrived(_ count: Int) { unjudged += count }

    /// Adds an occurrence.
    package mutating func join() -> Seat {
        lastSeat += 1
        parts[lastSeat] = Part()
        return Seat(number: lastSeat)
    }

    /// Removes an occurrence that has ended.
    ///
    /// `isRecorded`: whether each of its released requests has a recorded outcome.
    package mutating func leave(_ seat: Seat, isRecorded: Bool) {
        guard let part = parts.removeValue(forKey: seat.number) else { return }
        sum.open -= part.open
        if isRecorded { sum.claim -= part.claim } else { hasFailed = true }
    }

    /// Passes events to the machine of an occurrence.
    package mutating func pass(
        _ events: [DispatchMachine.Event],
        to machine: inout DispatchMachine,
        at seat: Seat,
        now: Duration
    ) -> [DispatchMachine.Command] {
        guard let part = parts[seat.number] else { return [] }
        machine.share = OpenShare(
            occurrences: parts.count,
            openElsewhere: sum.open - part.open - unjudged,
            claimedElsewhere: sum.claim - part.claim
        )
        swap(&machine.pace, &flow.pace)
        let commands = machine.receive(hasFailed ? events + [.stop] : events, now: now)
        swap(&machine.pace, &flow.pace)
        flow.roundTrip = machine.window.roundTrip ?? flow.roundTrip
        take(Part(open: machine.open.count, claim: machine.claim), at: seat)
        return commands
    }

    private mutating func take(_ part: Part, at seat: Seat) {
        let before = parts.updateValue(part, forKey: seat.number) ?? Part()
        sum.open += part.open - before.open
        sum.claim += part.claim - before.claim
    }
}
