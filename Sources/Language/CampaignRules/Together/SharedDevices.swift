import CampaignModel

/// One campaign's message at one of its due times.
struct Send: Sendable {
    /// In seconds since 1970.
    let moment: Int64
    /// The campaign's number in `CrossCampaignAnalysis.campaigns`.
    let campaign: Int
}

/// Devices that are known to receive all messages of certain campaigns.
struct SharedDevices: Sendable {
    enum Who: Sendable {
        case topic(Topic)
        case group(DeviceGroupName)
        case list(Fingerprint, count: Int)

        /// For example "a device in `tides`".
        var words: String {
            switch self {
            case .topic(let topic): "a device in `\(topic)`"
            case .group(let name): "a device of the group `\(name)`"
            case .list(let first, let count):
                "registration \(first)" + (count > 1 ? " and \(count - 1) more" : "")
            }
        }

        /// Adds the number of other people.
        fileprivate func and(_ more: Who) -> Who {
            guard case .list(let first, let count) = self, case .list(_, let others) = more else {
                return self
            }
            return .list(first, count: count + others)
        }
    }

    fileprivate(set) var who: Who
    /// The campaigns' numbers in ascending order.
    let campaigns: [Int]
    /// In ascending order; sends at the same time are in the order of the campaigns.
    let sends: [Send]

    /// Splits by app, because a message for one app reaches no device with another.
    func byPackage(_ all: [TimedCampaign]) -> [SharedDevices] {
        let packages = Set(campaigns.compactMap { all[$0].android?.package })
        guard packages.count > 1 else { return [self] }
        return packages.sorted().map { package in
            func isForIt(_ campaign: Int) -> Bool {
                all[campaign].android?.package ?? package == package
            }
            return SharedDevices(
                who: who,
                campaigns: campaigns.filter(isForIt),
                sends: sends.filter { isForIt($0.campaign) }
            )
        }
    }
}

/// Collects devices, and merges those that receive the same campaigns.
///
/// Devices that receive a single message are omitted.
struct DeviceCollector {
    private(set) var found: [SharedDevices] = []
    /// Whether the limits excluded something from the examination.
    private(set) var isCut = false
    private var known: [[Int]: Int] = [:]
    private var sendCount = 0
    private let campaigns: [TimedCampaign]

    /// The limit for all devices together: 32 MB.
    private static let mostSends = 2_000_000

    init(_ campaigns: [TimedCampaign]) {
        self.campaigns = campaigns
    }

    mutating func add(_ who: SharedDevices.Who, members: [Int]) {
        let count = members.reduce(0) { $0 + campaigns[$1].moments.count }
        guard count > 1 else { return }
        if let place = known[members] {
            found[place].who = found[place].who.and(who)
            return
        }
        guard sendCount + count <= Self.mostSends else {
            isCut = true
            return
        }
        sendCount += count
        known[members] = found.count
        var sends: [Send] = []
        sends.reserveCapacity(count)
        for member in members {
            for moment in campaigns[member].moments {
                sends.append(Send(moment: moment, campaign: member))
            }
        }
        sends.sort { ($0.moment, $0.campaign) < ($1.moment, $1.campaign) }
        found.append(SharedDevices(who: who, campaigns: members, sends: sends))
    }
}
