/// The pace of one kind of requests of a run, and their measured round trip.
package struct RequestFlow: Sendable {
    package var pace: PaceMachine
    /// The shortest time of an answer in the last 10 to 20 seconds of requests; nil before the
    /// first answer.
    package var roundTrip: Duration?

    /// Begins with a budget, with random jitter.
    package init(_ budget: PaceBudget) {
        pace = PaceMachine(budget, seed: .random(in: 0 ... .max))
    }

    /// Continues with the pace and the round trip of a part of the run.
    package mutating func advance(to pace: PaceMachine, roundTrip: Duration?) {
        self.pace = pace
        self.roundTrip = roundTrip ?? self.roundTrip
    }
}
