package import CampaignModel

/// Says when the next fan-out may begin: FCM does not tell when one has ended, so each holds a slot
/// for as long as its reach takes.
///
/// A project's fan-outs share one rate, and one at a time is advised (Firebase documentation, About
/// FCM messages).
package struct FanOutSlots: Sendable {
    private let pace: Pace
    /// When the slots that are held become free.
    private var ends: [Duration] = []

    package init(_ pace: Pace) {
        self.pace = pace
    }

    /// When a slot is free; nil where one is.
    package func next(now: Duration) -> Duration? {
        let held = ends.filter { $0 > now }.sorted()
        guard pace.holdsFanOuts, held.count >= pace.fanOuts else { return nil }
        return held[held.count - pace.fanOuts]
    }

    /// Holds a slot from now on; none where nobody knows whom the fan-out reaches.
    package mutating func hold(reach: Int?, now: Duration) {
        ends.removeAll { $0 <= now }
        guard let reach else { return }
        ends.append(now + .seconds(Double(reach) / Double(pace.fanOutRate)))
    }

    /// When all that were begun have ended.
    package var end: Duration { ends.max() ?? .zero }
}
