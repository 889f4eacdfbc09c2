package import CampaignModel
package import RateControl
package import State
package import Time

/// What decides how long the requests of a plan take: the quotas, the bound of open requests and
/// the last measurements.
package struct PlannedTraffic: Sendable {
    package let pace: Pace
    package let open: OpenLimit
    private let measurements: [TrafficMeasurement]
    private let now: Instant

    /// Takes at most one measurement of each kind.
    ///
    /// `now`: the time of the plan.
    package init(
        pace: Pace,
        open: OpenLimit = OpenLimit(unknown: EnvironmentSettings.standardMaximumUnknown),
        measurements: [TrafficMeasurement] = [],
        now: Instant
    ) {
        self.pace = pace
        self.open = open
        self.measurements = measurements
        self.now = now
    }

    /// The round trip of requests that were never measured.
    package static let assumedRoundTrip = Duration.milliseconds(100)

    /// How long a number of requests takes, and what bounds their rate.
    package struct Estimate: Hashable, Sendable {
        /// Until the last answer.
        package let length: Duration
        package let bound: Bound
    }

    /// What bounds the rate of requests.
    package enum Bound: Hashable, Sendable {
        /// The part of the quota that the environment may use.
        case quota
        /// The rise of the rate to the quota, which takes longer than the requests.
        case ramp
        /// The number of requests that may be open; `rate` is per second.
        case openRequests(Int, roundTrip: Duration, rate: Double)
    }

    /// Estimates single sends that are the first of a run.
    package func sends(_ count: Int) -> Estimate {
        estimate(count, within: .sends(pace), of: .sends)
    }

    /// Estimates joins and leaves that are the first of a run, in batches.
    package func changes(_ count: Int) -> Estimate {
        estimate(count, within: .memberships(pace), of: .memberships)
    }

    /// The last measured round trip; otherwise an assumed one.
    package func roundTrip(of kind: TrafficMeasurement.Kind) -> Duration {
        measurement(of: kind)?.roundTrip ?? Self.assumedRoundTrip
    }

    /// Whether the round trip was measured.
    package func isMeasured(_ kind: TrafficMeasurement.Kind) -> Bool {
        measurement(of: kind) != nil
    }

    /// The rate per second at which a run that begins at `moment` may start; nil if none was
    /// measured in the last ten minutes.
    package func sustained(_ kind: TrafficMeasurement.Kind, at moment: Instant) -> Double? {
        measurement(of: kind)?.recentRate(at: moment)
    }

    /// Returns the time that this many sends of a run take before the last of them is sent.
    func sending(_ count: Int) -> Duration {
        let budget = recovered(.sends(pace), of: .sends)
        return PaceMachine.duration(of: count, within: budget, limit: highestRate(of: .sends, 1))
    }

    /// Estimates sends that follow `sent` others in a run, until their last answer.
    func length(of count: Int, after sent: Int) -> Duration {
        sending(sent + count) - sending(sent) + roundTrip(of: .sends)
    }

    /// Returns the time that FCM takes to forward one request to this many app instances.
    package func fanOut(to reach: Int) -> Duration {
        .seconds(Double(reach) / Double(max(1, pace.fanOutRate)))
    }

    /// Returns the number of sends of a run that leave within this many seconds.
    func sendCount(within seconds: Int64) -> Int {
        guard seconds > 0 else { return 0 }
        let length = Duration.seconds(seconds)
        // More do not leave even at the quota; the first ones leave at once.
        var (low, high) = (0, (Int(seconds) / 60 + 2) * pace.sendsPerMinute)
        while low < high {
            let middle = (low + high + 1) / 2
            if sending(middle) <= length { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Returns the same circumstances with another pace of sends and another bound.
    func sending(perMinute count: Int, open: OpenLimit) -> PlannedTraffic {
        let pace = Pace(
            sendsPerMinute: count,
            subscriptionsPerSecond: pace.subscriptionsPerSecond,
            fanOuts: pace.fanOuts,
            fanOutRate: pace.fanOutRate
        )
        return PlannedTraffic(pace: pace, open: open, measurements: measurements, now: now)
    }

    private func estimate(
        _ count: Int,
        within standard: PaceBudget,
        of kind: TrafficMeasurement.Kind
    ) -> Estimate {
        let budget = recovered(standard, of: kind)
        let limit = highestRate(of: kind, budget.largest)
        let length = PaceMachine.duration(of: count, within: budget, limit: limit)
        let peak = min(limit, budget.peak)
        let risen = budget.rise(to: peak)
        let bound: Bound =
            if length < risen, Double(count) > budget.first {
                .ramp
            } else if limit < budget.peak, Double(count) > budget.first {
                .openRequests(open.most, roundTrip: roundTrip(of: kind), rate: limit)
            } else {
                .quota
            }
        return Estimate(length: length + roundTrip(of: kind), bound: bound)
    }

    private func recovered(
        _ budget: PaceBudget,
        of kind: TrafficMeasurement.Kind
    ) -> PaceBudget {
        budget.after(sustained(kind, at: now))
    }

    /// `size`: registrations per request.
    private func highestRate(of kind: TrafficMeasurement.Kind, _ size: Int) -> Double {
        open.highestRate(roundTrip: roundTrip(of: kind)) * Double(size)
    }

    private func measurement(of kind: TrafficMeasurement.Kind) -> TrafficMeasurement? {
        measurements.first { $0.kind == kind }
    }
}

extension TrafficMeasurement {
    /// The rate at which the next run may start; nil if the measurement is too old.
    fileprivate func recentRate(at now: Instant) -> Double? {
        let age = now.seconds(since: moment)
        return (0...PaceBudget.memory.components.seconds).contains(age) ? rate : nil
    }
}
