import CampaignModel
import FCMWire
import Planning
import RateControl

/// Describes the requests of an apply and estimates their duration from the quotas.
///
/// Single sends and memberships take the time that the environment's pace allows, including its
/// slow start. A fan-out takes its reach divided by the fan-out rate.
struct EffortWording {
    let pace: Pace

    private func seconds(ofSends count: Int) -> Int64 {
        PaceMachine.duration(of: count, within: .sends(pace)).wholeSeconds
    }

    private func seconds(ofChanges count: Int) -> Int64 {
        PaceMachine.duration(of: count, within: .memberships(pace)).wholeSeconds
    }

    private func seconds(ofFanOut reach: Int) -> Int64 {
        let rate = max(1, pace.fanOutRate)
        return Int64(reach / rate) + (reach % rate == 0 ? 0 : 1)
    }

    /// One request per registration.
    func single(_ count: Int) -> [String] {
        [
            "\(count.counting("request")), about \(Self.wording(seconds(ofSends: count))) at up to "
                + "\(pace.sendsPerMinute.grouped) per minute."
        ]
    }

    /// One request that FCM fans out.
    func fanOut(to reach: Int?) -> [String] {
        guard let reach else {
            return ["1 request. FCM's fan-out time is unknown because the reach is unknown."]
        }
        return [
            "1 request. FCM's fan-out takes about \(Self.wording(seconds(ofFanOut: reach))) at "
                + "\(pace.fanOutRate.grouped) per second."
        ]
    }

    func group() -> [String] { ["1 request. FCM delivers it to all devices of the group."] }

    /// Batches, each of which either joins or leaves.
    func changes(_ directions: [Int]) -> [String] {
        let requests = directions.reduce(0) { $0 + Self.batches(of: $1) }
        guard requests > 0 else { return [] }
        let size = InstanceIDBatch.maximumRegistrations.grouped
        let time = Self.wording(seconds(ofChanges: directions.reduce(0, +)))
        return [
            "\(requests.counting("request")) of up to \(size) registrations, about \(time) at up to "
                + "\(pace.subscriptionsPerSecond.grouped) changes per second."
        ]
    }

    static func batches(of count: Int) -> Int {
        (count + InstanceIDBatch.maximumRegistrations - 1) / InstanceIDBatch.maximumRegistrations
    }

    /// A rounded duration: `1 s`, `4 min`, `2 h 30 min`.
    static func wording(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(max(1, seconds)) s"
        case ..<7_200: "\((seconds + 30) / 60) min"
        default: "\((seconds + 1_800) / 3_600) h"
        }
    }
}

extension Duration {
    /// Rounded up.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
