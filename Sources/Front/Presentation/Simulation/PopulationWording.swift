import DeliveryModel
import Simulation

/// Describes the simulated devices.
struct PopulationWording {
    private let population: Population

    init(_ population: Population) {
        self.population = population
    }

    var sentences: [String] {
        [size, platforms, connectivity, zones, members].compactMap(\.self)
    }

    private var size: String {
        let count = population.size.counting("device")
        guard population.represented > population.size else { return "\(count) are simulated" }
        return "\(count) stand for \(population.represented.grouped); all numbers are those of the "
            + "simulated devices"
    }

    private var platforms: String {
        let shares = DevicePlatform.allCases.compactMap { platform in
            population.platforms[platform].map { "\(Self.percent($0)) \(platform.wording)" }
        }
        return "platforms: " + shares.joined(separator: ", ")
    }

    private var connectivity: String {
        let shares = Population.ConnectivityProfile.allCases.compactMap { profile in
            population.habits[profile].map { "\(Self.percent($0)) \(profile.wording)" }
        }
        return "online: " + shares.joined(separator: ", ")
            + "; \(Self.percent(population.dozing)) of Android devices doze at night; "
            + "\(Self.percent(population.uninstalling)) remove the app"
    }

    private var zones: String? {
        guard !population.zones.isEmpty else { return nil }
        let shares = population.zones.map { "\(Self.percent($0.share)) \($0.name)" }
        return "time zones: " + shares.named(upTo: 5)
            + (population.zonedDevices.isEmpty ? "" : "; devices of lists have those of their rows")
    }

    private var members: String? {
        guard population.topics.count > 1 else { return nil }
        let known =
            population.members.isEmpty
            ? "" : ", except that devices of lists are in the topics that their list keeps"
        return "subscriptions to topics are independent of each other" + known
    }

    private static func percent(_ share: Share) -> String {
        let tenths = (share.part * 2_000 + share.whole) / (2 * share.whole)
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}

extension Population.ConnectivityProfile {
    fileprivate var wording: String {
        switch self {
        case .always: "always"
        case .daytime: "in daytime"
        case .nowAndThen: "one hour a day"
        case .never: "never"
        }
    }
}
