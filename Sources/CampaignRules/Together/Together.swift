import CampaignLoading
import CampaignMessages
import CampaignModel
import Registrations
import Scheduling

/// A campaign, and when it is sent.
struct TimedCampaign: Sendable {
    let campaign: Campaign
    /// In seconds since 1970, ascending.
    let moments: [Int64]
    /// Nil where Android gets nothing of it.
    let android: AndroidMessage?
    /// On some platform.
    let showsSomething: Bool
    /// Where it goes to one that could be read.
    let list: RegistrationList?
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

    init(_ context: RuleContext) {
        let whole = context.project.campaigns.filter(context.isWhole)
        var moments = Moments(of: whole, at: context.now, zones: context.zones)
        let messages = mapInParallel(whole) { campaign in
            (android: AndroidMessage(campaign, at: context.now), isShown: campaign.showsSomething)
        }
        var campaigns: [TimedCampaign] = []
        var keys = Grouping<String>()
        for (campaign, message) in zip(whole, messages) {
            let moments = moments.moments(of: campaign.schedule)
            guard !moments.isEmpty else { continue }
            if case .key(let key)? = message.android?.storage { keys.add(campaigns.count, to: key) }
            campaigns.append(
                TimedCampaign(
                    campaign: campaign,
                    moments: moments,
                    android: message.android,
                    showsSomething: message.isShown,
                    list: context.list(of: campaign)
                )
            )
        }
        self.campaigns = campaigns
        self.keys = keys.keys
        keyNumbers = Dictionary(
            uniqueKeysWithValues: keys.keys.enumerated().map { ($0.element, $0.offset) }
        )
        let shared = KnownAudiences(campaigns, context.project.audiences, context.surveys)
            .shared(campaigns)
        devices = shared.devices
        people = shared.people
        registrations = shared.registrations
        isCut = shared.isCut
    }

    func android(_ send: Send) -> AndroidMessage? { campaigns[send.campaign].android }
}

extension Campaign {
    fileprivate var showsSomething: Bool {
        ([content] + variants.map(\.content) + localizations.map(\.content)).contains { content in
            let kinds = MessageKinds(content)
            return Platform.allCases.contains { kinds[$0].showsSomething }
        }
    }
}

extension RuleContext {
    fileprivate func list(of campaign: Campaign) -> RegistrationList? {
        guard case .registrations(let list) = campaign.target, case .success? = surveys[list]
        else { return nil }
        return list
    }
}
