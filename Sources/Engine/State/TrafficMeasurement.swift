package import Time

/// What a run measured while it sent requests of one kind.
///
/// The next plan predicts with it, and the next run starts at its rate for ten minutes.
package struct TrafficMeasurement: Hashable, Sendable {
    /// The raw values are stored: they never change.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// Messages.
        case sends = 0
        /// Joins and leaves.
        case memberships = 1
    }

    package let kind: Kind
    /// The shortest time between a request and its answer, in the last 10 to 20 seconds.
    package let roundTrip: Duration
    /// How many messages or registrations FCM answered per second, on average over the last minute.
    package let rate: Double
    /// The end of the run.
    package let moment: Instant

    package init(of kind: Kind, roundTrip: Duration, rate: Double, at moment: Instant) {
        self.kind = kind
        self.roundTrip = roundTrip
        self.rate = rate
        self.moment = moment
    }
}
