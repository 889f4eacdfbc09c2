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

    /// One request per registration.
    func single(_ count: Int) -> [String] {
        let estimate = traffic.sends(count)
        let peak = "\(pace.sendsPerMinute.grouped) per minute"
        let time = time(of: estimate, bound: bound(of: estimate, of: .sends, peak: peak))
        return [count.counting("request") + (count > 1 ? time : "") + "."]
    }

    /// An estimate of more than a second names what bounds the rate.
    private func time(of estimate: PlannedTraffic.Estimate, bound: String) -> String {
        let seconds = estimate.length.wholeSeconds
        return ", about \(Self.wording(seconds))" + (seconds > 1 ? " \(bound)" : "")
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
        let seconds = traffic.fanOut(to: reach).wholeSeconds
        return [
            "1 request. FCM's fan-out takes about \(Self.wording(seconds)) at "
                + "\(pace.fanOutRate.grouped) per second."
        ]
    }

    /// One request per registration of a list that is not read yet.
    func atSend() -> [String] { ["1 request per registration."] }

    func group() -> [String] { ["1 request. FCM delivers it to all devices of the group."] }

    /// Batches, each of which either joins or leaves.
    func changes(_ directions: [Int]) -> [String] {
        let requests = directions.reduce(0) { $0 + Self.batches(of: $1) }
        guard requests > 0 else { return [] }
        let largest = InstanceIDBatch.maximumRegistrations
        let size =
            directions.contains { $0 > largest } ? " of up to \(largest.grouped) registrations" : ""
        let estimate = traffic.changes(directions.reduce(0, +))
        let peak = "\(pace.subscriptionsPerSecond.grouped) changes per second"
        let bound = bound(of: estimate, of: .memberships, peak: peak)
        let time = requests > 1 ? time(of: estimate, bound: bound) : ""
        return [requests.counting("request") + size + time + "."]
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
    var inMilliseconds: String {
        "\(Int((self / .milliseconds(1)).rounded(.up)).grouped) ms"
    }
}
