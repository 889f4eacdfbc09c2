import CampaignModel
import RateControl
import State

/// An objective with the circumstances that decide whether it is reachable.
struct ObjectiveEstimate {
    let objective: Objective
    /// Nil if unknown.
    let recipients: Int?
    /// The requests that were accepted earlier.
    var accepted = 0
    let isFanOut: Bool
    /// The time from the due time to the first request.
    var delay = Duration.zero
    /// The requests of the same run that leave before, with which the rate rises.
    var sent = 0

    private static let largestPace = Int(Pace.sendsPerMinuteRange.upperBound)
    private static let largestUnknown = Int(EnvironmentSettings.maximumUnknownRange.upperBound)

    /// Returns the verdict; nil if the share is already reached.
    func planned(_ campaign: CampaignID, _ traffic: PlannedTraffic) -> PlannedObjective? {
        var times: (list: Duration, topic: Duration)?
        var need: PlannedObjective.Need?
        if let recipients {
            let target = objective.target(of: recipients)
            let rest = max(0, target - accepted)
            guard rest > 0 else { return nil }
            let reached = (
                list: traffic.length(of: rest, after: sent),
                topic: traffic.roundTrip(of: .sends) + traffic.fanOut(to: target)
            )
            times = reached
            let left = Duration.seconds(objective.seconds) - delay
            if (isFanOut ? reached.topic : reached.list) > left {
                need = self.need(isFanOut ? target : rest, within: left, traffic)
            }
        }
        return PlannedObjective(
            campaign: campaign,
            objective: objective,
            recipients: recipients,
            isFanOut: isFanOut,
            delay: delay,
            predicted: times.map { delay + (isFanOut ? $0.topic : $0.list) },
            asList: times?.list,
            asTopic: times?.topic,
            need: need
        )
    }

    private func need(
        _ count: Int,
        within left: Duration,
        _ traffic: PlannedTraffic
    ) -> PlannedObjective.Need {
        let roundTrip = traffic.roundTrip(of: .sends)
        guard roundTrip < .seconds(objective.seconds) else {
            return .moreTime(roundTrip: roundTrip)
        }
        let sending = left - roundTrip
        guard sending > .zero else { return .earlierStart }
        if isFanOut {
            return .fanOutRate(Int((Double(count) / (sending / .seconds(1))).rounded(.up)))
        }
        func fits(_ perMinute: Int, _ open: OpenLimit) -> Bool {
            traffic.sending(perMinute: perMinute, open: open).length(of: count, after: sent) <= left
        }
        let current = traffic.pace.sendsPerMinute
        let unbounded = OpenLimit(unknown: .max)
        let pace = Self.least(from: current, to: Self.largestPace) { fits($0, unbounded) }
        guard let pace else { return .settings(sendsPerMinute: nil, maximumUnknown: nil) }
        let isOpenEnough = fits(pace, traffic.open)
        let unknown =
            isOpenEnough
            ? nil
            : Self.least(from: traffic.open.unknown, to: Self.largestUnknown) {
                fits(pace, OpenLimit(unknown: $0))
            }
        guard isOpenEnough || unknown != nil else {
            return .settings(sendsPerMinute: nil, maximumUnknown: nil)
        }
        return .settings(
            sendsPerMinute: pace == current ? nil : pace,
            maximumUnknown: unknown
        )
    }

    /// Returns the least number that is enough, rounded up to two digits; the first number if it is
    /// enough, and nil if none is.
    private static func least(
        from first: Int,
        to last: Int,
        where isEnough: (Int) -> Bool
    ) -> Int? {
        guard !isEnough(first) else { return first }
        guard first < last, isEnough(last) else { return nil }
        var (low, high) = (first, last)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return min(last, high.roundedUpToTwoDigits)
    }
}

extension Int {
    /// For example, 1,200,000 for 1,187,423.
    fileprivate var roundedUpToTwoDigits: Int {
        var unit = 1
        while self / unit >= 100 { unit *= 10 }
        return (self + unit - 1) / unit * unit
    }
}
