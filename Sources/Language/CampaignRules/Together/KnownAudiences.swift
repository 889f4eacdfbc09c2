import CampaignModel
import RegistrationLists

/// The audiences of campaigns, as far as the files determine them.
///
/// Two audiences share devices if they are known to: the same topic; a condition and each topic
/// that adds devices to it; lists with common registrations; a list and the topics that it is kept
/// subscribed to. Two different topics may also share devices, but the files do not show it.
struct KnownAudiences {
    private var topics = Grouping<Topic>()
    private var groups = Grouping<DeviceGroupName>()
    private var lists: [ListMembers] = []
    private var listPlaces: [RegistrationList: Int] = [:]
    private let surveys: ListSurveys
    private let campaigns: [TimedCampaign]

    init(of campaigns: [TimedCampaign], audiences: [Audience], surveys: ListSurveys) {
        self.surveys = surveys
        self.campaigns = campaigns
        for number in campaigns.indices { add(number) }
        for audience in audiences {
            let addressed = (audience.subscribe ?? []).filter { !topics[$0].isEmpty }
            guard !addressed.isEmpty, let place = place(of: audience.list) else { continue }
            lists[place].topics.formUnion(addressed)
        }
    }

    private mutating func add(_ number: Int) {
        let facts = campaigns[number].facts
        for topic in facts.topics { topics.add(number, to: topic) }
        if let list = facts.list {
            if let place = place(of: list) { lists[place].campaigns.append(number) }
        } else if facts.topics.isEmpty, case .group(let name) = facts.campaign.target {
            groups.add(number, to: name)
        }
    }

    /// Returns the index of a list that could be read.
    private mutating func place(of list: RegistrationList) -> Int? {
        if let place = listPlaces[list] { return place }
        guard case .success(let survey)? = surveys[list] else { return nil }
        listPlaces[list] = lists.count
        lists.append(ListMembers(survey: survey))
        return lists.count - 1
    }

    /// Returns the shared audiences; those with the same campaigns are merged.
    func shared() -> SharedAudiences {
        var collector = DeviceCollector(campaigns)
        var isCut = collect(lists.map(\.survey.fingerprints), into: &collector)
        let registrations = collector.found
        var people = DeviceCollector(campaigns)
        if lists.contains(where: { $0.survey.identities != nil }) {
            isCut = collect(lists.map(\.people), into: &people) || isCut
        }
        for (topic, members) in zip(topics.keys, topics.members) {
            collector.add(.topic(topic), members: members)
        }
        for (name, members) in zip(groups.keys, groups.members) {
            collector.add(.group(name), members: members)
        }
        return SharedAudiences(
            devices: collector.found.flatMap { $0.byPackage(campaigns) },
            people: people.found,
            registrations: registrations,
            isCut: isCut || collector.isCut || people.isCut
        )
    }

    /// Returns whether the limits excluded something from the examination.
    private func collect(_ lists: [ListFingerprints], into collector: inout DeviceCollector) -> Bool
    {
        let crowds = ListIntersections(lists)
        for crowd in crowds.crowds {
            collector.add(.list(crowd.first, count: crowd.count), members: members(of: crowd))
        }
        return crowds.isCut
    }

    /// Returns the campaigns that reach all members of a group, in ascending order.
    private func members(of crowd: AudienceIntersection) -> [Int] {
        let lists = crowd.audiences.map { self.lists[$0] }
        let subscribed = lists.reduce(into: Set<Topic>()) { $0.formUnion($1.topics) }
        let byTopic = subscribed.flatMap { topics[$0] }.filter { number in
            guard case .condition(let condition) = campaigns[number].campaign.target else {
                return true
            }
            return condition.isTrue(for: subscribed)
        }
        return Set(lists.flatMap(\.campaigns) + byTopic).sorted()
    }
}

/// Devices and people that receive the messages of several campaigns, or many of one.
struct SharedAudiences {
    let devices: [SharedDevices]
    /// Recipients identified by a list's identity column.
    let people: [SharedDevices]
    /// Recipients identified by their registrations.
    let registrations: [SharedDevices]
    let isCut: Bool
}
