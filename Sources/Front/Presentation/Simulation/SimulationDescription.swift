import CampaignModel
import DeliveryModel
package import Simulation
package import Time

/// The texts of the simulation views; each view escapes them for its format.
package struct SimulationDescription: Sendable {
    package let result: SimulationResult
    /// The population first, then what neither the plan nor the population declares.
    package let assumptions: [String]
    /// Nil if nothing was applied, or if that cannot be simulated.
    package let comparison: SimulationComparison?
    private let zone: TimeZoneRules
    private let zoneName: String

    package init(
        _ result: SimulationResult,
        comparedWith applied: SimulationResult? = nil,
        assumptions: [PlanPlayback.Assumption],
        zone: TimeZoneRules,
        named zoneName: String
    ) {
        self.result = result
        comparison = applied.map { SimulationComparison(result, with: $0) }
        self.assumptions =
            PopulationWording(result.population).sentences + assumptions.map(\.wording)
        self.zone = zone
        self.zoneName = zoneName
    }

    var headline: String {
        let days = Int((result.end.milliseconds - result.start.milliseconds) / 86_400_000)
        return "\(days.counting("day")) from \(local(result.start)) \(zoneName), seed "
            + "\(result.seed): \(result.population.size.counting("device"))"
    }

    var devices: String {
        DevicePlatform.allCases.map { platform in
            "\((result.devices[platform] ?? 0).grouped) \(platform.wording)"
        }.joined(separator: ", ")
    }

    func local(_ moment: DeliveryMoment) -> String {
        let instant = Instant(secondsSince1970: moment.milliseconds / 1_000)
        return "\(zone.localTime(at: instant))"
    }

    /// The start of an hour, counted from the first.
    func moment(ofHour hour: Int) -> DeliveryMoment {
        DeliveryMoment(milliseconds: result.firstHour.milliseconds + Int64(hour) * 3_600_000)
    }

    /// The number of hours until the first midnight, 0 to 23.
    var hoursBeforeMidnight: Int {
        let instant = Instant(secondsSince1970: result.firstHour.milliseconds / 1_000)
        let seconds = Int(zone.localTime(at: instant).time.secondsSinceMidnight)
        return (24 - seconds / 3_600) % 24
    }

    /// Returns a date such as `03-14` for an axis.
    func day(_ moment: DeliveryMoment) -> String {
        String(local(moment).dropFirst(5).prefix(5))
    }

    /// Returns text such as `3 sends, 120,000 devices each time`.
    func sends(_ campaign: CampaignOutcome) -> String {
        let recipients = campaign.sends.map(\.recipients)
        guard let first = recipients.first else { return "no sends" }
        let each = recipients.allSatisfy { $0 == first }
        let audience =
            each ? first.counting("device") : recipients.reduce(0, +).counting("message")
        return recipients.count == 1
            ? "1 send, \(audience)"
            : "\(recipients.count.grouped) sends, \(audience)\(each ? " each time" : "")"
    }

    /// The comparison with the applied plan, as sentences for a terminal.
    var differences: [String] {
        guard let comparison else { return [] }
        let load = comparison.load.map { "\($0.name): \($0.after), \($0.before) without this plan" }
        return comparison.sentences.map { campaign, wording in
            (campaign.map { TextStyle.safe($0) + ": " } ?? "") + wording
        } + load
    }

    func delays(_ campaign: CampaignOutcome) -> String? {
        guard let half = campaign.delays.within(percent: 50),
            let most = campaign.delays.within(percent: 95)
        else { return nil }
        let longest = campaign.delays.longest
        if longest < 1_000 { return "all delivered at once" }
        return "half within \(SimulationWording.length(half)), 95 % within "
            + "\(SimulationWording.length(most)), the last after \(SimulationWording.length(longest))"
    }

    /// Describes the arms of an experiment, such as `variant short: 450 messages, 97.3 % delivered`.
    func arms(_ campaign: CampaignOutcome) -> [String] {
        var lines = campaign.arms.map { arm in
            let total = arm.outcomes.total
            let share = SimulationWording.share(arm.outcomes[.delivered], of: total)
            let reached = total > 0 ? ", \(share) delivered" : ""
            return "variant \(arm.name): \(total.counting("message"))\(reached)"
        }
        if campaign.heldOut > 0 {
            lines.append(
                "held out: \(campaign.heldOut.counting("message")) not sent, for comparison"
            )
        }
        return lines
    }

    /// Describes the duration of sends and their waits.
    func spreading(_ campaign: CampaignOutcome) -> [String] {
        var lines: [String] = []
        let lengths = campaign.sends.map { $0.end.milliseconds - $0.start.milliseconds }
        if let longest = lengths.max(), longest >= 1_000 {
            lines.append("sending takes up to \(SimulationWording.length(longest))")
        }
        let waits = campaign.sends.map { $0.start.milliseconds - $0.due.milliseconds }
        if let longest = waits.max(), longest >= 1_000 {
            lines.append(
                "waits up to \(SimulationWording.length(longest)) for earlier sends"
            )
        }
        return lines
    }

    var pressure: [String] {
        let pressure = result.pressure
        let size = result.population.size
        var lines = [
            "A device gets \(SimulationWording.mean(of: result)) messages on average, at most "
                + "\(pressure.most.grouped), and at most \(pressure.mostInOneDay.grouped) in one "
                + "day."
        ]
        lines += classes.compactMap { name, count in
            guard count > 0 else { return nil }
            let share = SimulationWording.share(count, of: size)
            return "\(String(repeating: " ", count: max(0, 8 - share.count)))\(share)  get \(name)"
        }
        return lines
    }

    /// Number of devices by number of received messages.
    var classes: [(name: String, count: Int)] {
        let devices = result.pressure.devices
        let ranges = [0...0, 1...1, 2...3, 4...7, 8...15, 16...49]
        let named = ranges.map { range in
            let name =
                range.count == 1
                ? (range.lowerBound == 0 ? "none" : "1")
                : "\(range.lowerBound) to \(range.upperBound)"
            return (name: name, count: devices[range].reduce(0, +))
        }
        return named + [(name: "50 or more", count: devices[50...].reduce(0, +))]
    }
}

extension DevicePlatform {
    var wording: String {
        switch self {
        case .android: "Android"
        case .apple: "Apple"
        case .web: "web"
        }
    }
}

extension PlanPlayback.Assumption {
    var wording: String {
        switch self {
        case .unknownReach(let topic, let percent):
            "\(percent) % of devices are subscribed to `\(topic.text)`; set `reach` in "
                + "herald.yaml or `topics` in the population to change this"
        case .unknownList(let audience, let percent):
            "\(percent) % of devices belong to `\(audience)`, whose list is read when the send begins"
        case .tooSmall(let audience, let count):
            "all devices belong to `\(audience)` because its size, \(count.grouped), exceeds the "
                + "population"
        case .capped(let campaign, let count):
            "\(campaign): without \(count.counting("device")) of people who are over the frequency "
                + "cap now"
        case .tooManyOccurrences(let campaign, let limit):
            "only the first \(limit.grouped) occurrences of `\(campaign.rawValue)` are simulated"
        case .groupSize(let group, let count):
            "device group `\(group.text)` has \(count.counting("device")), the maximum"
        }
    }
}
