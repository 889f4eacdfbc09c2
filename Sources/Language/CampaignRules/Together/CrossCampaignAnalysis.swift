import CampaignModel
import RegistrationLists
import Time

/// A campaign with its due times.
struct TimedCampaign: Sendable {
    let facts: CampaignFacts
    /// In seconds since 1970, in ascending order.
    let moments: [Int64]

    var campaign: Campaign { facts.campaign }
    var android: AndroidMessage? { facts.android }
    var apple: AppleMessage? { facts.apple }
    var showsSomething: Bool { facts.showsSomething }
}

/// The analysis across a project's campaigns, computed once for all rules.
struct CrossCampaignAnalysis: Sendable {
    /// The campaigns without errors that are still to be sent, according to the files.
    let campaigns: [TimedCampaign]
    /// The collapse keys by their numbers.
    let keys: [String]
    let keyNumbers: [String: Int]
    /// The devices that receive several messages.
    let devices: [SharedDevices]
    /// Recipients identified by a list's identity column; all devices of a person count as one.
    let people: [SharedDevices]
    /// Recipients identified by their registrations.
    let registrations: [SharedDevices]
    /// Whether some overlaps of lists were not examined because of the limits.
    let isCut: Bool

    /// An empty analysis.
    init() {
        campaigns = []
        keys = []
        keyNumbers = [:]
        devices = []
        people = []
        registrations = []
        isCut = false
    }

    /// `facts`: The facts about all campaigns without errors.
    init(of facts: [CampaignFacts], in context: RuleContext) {
        var moments = Moments(of: facts, at: context.now, zones: context.zones)
        var campaigns: [TimedCampaign] = []
        campaigns.reserveCapacity(facts.count)
        var keys = Grouping<String>()
        for facts in facts {
            let moments =
                facts.campaign.division.column == nil
                ? moments.moments(of: facts.schedule) : []
            guard !moments.isEmpty else { continue }
            if case .key(let key)? = facts.android?.storage { keys.add(campaigns.count, to: key) }
            if case .written(let key)? = facts.apple?.key { keys.add(campaigns.count, to: key) }
            campaigns.append(TimedCampaign(facts: facts, moments: moments))
        }
        self.campaigns = campaigns
        self.keys = keys.keys
        keyNumbers = Dictionary(
            uniqueKeysWithValues: keys.keys.enumerated().map { ($0.element, $0.offset) }
        )
        let shared = KnownAudiences(
            of: campaigns,
            audiences: context.project.audiences,
            surveys: context.surveys
        )
        .shared()
        devices = shared.devices
        people = shared.people
        registrations = shared.registrations
        isCut = shared.isCut
    }

    func android(_ send: Send) -> AndroidMessage? { campaigns[send.campaign].android }
}
