import CampaignModel
import RegistrationLists
import Time

/// A campaign, and when it is sent.
struct TimedCampaign: Sendable {
    let facts: CampaignFacts
    /// In seconds since 1970, ascending.
    let moments: [Int64]

    var campaign: Campaign { facts.campaign }
    var android: AndroidMessage? { facts.android }
    var apple: AppleMessage? { facts.apple }
    var showsSomething: Bool { facts.showsSomething }
}

/// What a project's campaigns do together, worked out once for all rules that ask.
struct Together: Sendable {
    /// Those that were understood as a whole and are still to be sent, as far as the files tell.
    let campaigns: [TimedCampaign]
    /// The collapse keys by their numbers.
    let keys: [String]
    let keyNumbers: [String: Int]
    /// In which several messages meet.
    let devices: [SharedDevices]
    /// Those that lists name by a column of theirs, with all devices of a person as one.
    let people: [SharedDevices]
    /// Those that lists name by their registrations.
    let registrations: [SharedDevices]
    /// Lists overlap in more ways than are looked at.
    let isCut: Bool

    /// Nothing that is known.
    init() {
        campaigns = []
        keys = []
        keyNumbers = [:]
        devices = []
        people = []
        registrations = []
        isCut = false
    }

    /// `facts`: those of all campaigns that were understood as a whole.
    init(_ facts: [CampaignFacts], _ context: RuleContext) {
        var moments = Moments(of: facts, at: context.now, zones: context.zones)
        var campaigns: [TimedCampaign] = []
        campaigns.reserveCapacity(facts.count)
        var keys = Grouping<String>()
        for facts in facts {
            let moments = moments.moments(of: facts.schedule)
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
        let shared = KnownAudiences(campaigns, context.project.audiences, context.surveys)
            .shared()
        devices = shared.devices
        people = shared.people
        registrations = shared.registrations
        isCut = shared.isCut
    }

    func android(_ send: Send) -> AndroidMessage? { campaigns[send.campaign].android }
}
