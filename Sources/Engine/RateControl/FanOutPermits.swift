package import CampaignModel

/// Decides when the next fan-out may start.
///
/// FCM does not report the end of a fan-out, so each one holds a permit for the estimated duration
/// of its reach. A project's fan-outs share one rate, and Firebase recommends one at a time
/// (Firebase documentation, About FCM messages).
package struct FanOutPermits: Sendable {
    private var pace: Pace
    /// The times at which the held permits become free.
    private var ends: [Duration] = []

    package init(_ pace: Pace) {
        self.pace = pace
    }

    /// Uses another pace from now on; the held permits stay.
    package mutating func use(_ pace: Pace) {
        self.pace = pace
    }

    /// Returns when a permit becomes free; nil if one is free now.
    package func next(now: Duration) -> Duration? {
        let held = ends.filter { $0 > now }.sorted()
        guard pace.holdsFanOuts, held.count >= pace.fanOuts else { return nil }
        return held[held.count - pace.fanOuts]
    }

    /// Holds a permit from now on, unless the reach is unknown.
    package mutating func hold(reach: Int?, now: Duration) {
        ends.removeAll { $0 <= now }
        guard let reach else { return }
        ends.append(now + .seconds(Double(reach) / Double(pace.fanOutRate)))
    }

    /// When all fan-outs so far have ended.
    package var end: Duration { ends.max() ?? .zero }
}
