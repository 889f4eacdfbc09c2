package import CampaignModel

/// Limits the messages of each device within a minute.
///
/// It counts within two fixed minutes and weights the previous one, so that no 60 seconds contain
/// many more than the limit.
package struct DeviceRate: Sendable {
    /// Per device (Firebase documentation, Throttling and scaling: 1,000 per minute).
    package static let documented = 1_000

    private let limit: Int
    private var minute: Int64 = 0
    private var current: [Fingerprint: Int] = [:]
    private var previous: [Fingerprint: Int] = [:]

    package init(limit: Int) {
        self.limit = limit
    }

    /// Counts a message, and returns nil; or the seconds to wait if the device is above its limit.
    package mutating func count(_ device: Fingerprint, at seconds: Int64) -> Int64? {
        advance(to: seconds)
        let passed = seconds - minute * 60
        let count = current[device] ?? 0
        let earlier = (previous[device] ?? 0) * Int(60 - passed) / 60
        guard count + earlier < limit else { return max(1, 60 - passed) }
        current[device] = count + 1
        return nil
    }

    private mutating func advance(to seconds: Int64) {
        let new = seconds / 60
        // A clock that is set back starts again.
        guard new != minute else { return }
        previous = new == minute + 1 ? current : [:]
        current = [:]
        minute = new
    }
}
