import CampaignModel
import FCMWire
import Planning
import RateControl
import State

/// Describes the requests of an apply, estimates their duration and names what bounds it.
///
/// Single sends and memberships take the time that the quotas, the rise of the rate and the open
/// requests allow. A fan-out takes its reach divided by the fan-out rate.
struct EffortWording {
    let traffic: PlannedTraffic

    private var pace: Pace { traffic.pace }

    private func seconds(ofFanOut reach: Int) -> Int64 {
        let rate = max(1, pace.fanOutRate)
        return Int64(reach / rate) + (reach % rate == 0 ? 0 : 1)
    }

    /// One request per registration.
    func single(_ count: Int) -> [String] {
        let estimate = traffic.sends(count)
        let time = Self.wording(estimate.length.wholeSeconds)
        return [
            "\(count.counting("request")), about \(time) "
                + bound(of: estimate, of: .sends, peak: "\(pace.sendsPerMinute.grouped) per minute")
                + "."
        ]
    }

    /// Names what bounds the rate of an estimate.
    private func bound(
        of estimate: PlannedTraffic.Estimate,
        of kind: TrafficMeasurement.Kind,
        peak: String
    ) -> String {
        switch estimate.bound {
        case .quota: return "at up to \(peak)"
        case .ramp: return "while the rate rises to \(peak)"
        case .openRequests(let open, let roundTrip, let rate):
            let verb = traffic.isMeasured(kind) ? "took" : "is assumed to take"
            return "at up to \(Int(rate).grouped) per second: max_unknown allows "
                + "\(open.grouped) open requests, and an answer \(verb) \(roundTrip.inMilliseconds)"
        }
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
        let estimate = traffic.changes(directions.reduce(0, +))
        let time = Self.wording(estimate.length.wholeSeconds)
        let peak = "\(pace.subscriptionsPerSecond.grouped) changes per second"
        return [
            "\(requests.counting("request")) of up to \(size) registrations, about \(time) "
                + bound(of: estimate, of: .memberships, peak: peak) + "."
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

    /// A short duration: `120 ms`.
    fileprivate var inMilliseconds: String {
        "\(Int((self / .milliseconds(1)).rounded(.up)).grouped) ms"
    }
}
