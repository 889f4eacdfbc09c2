import CampaignMessages
import CampaignModel
package import RegistrationLists
package import State

/// The people of the lists that a plan was made from.
///
/// They are computed on demand, because a plan may have many long lists.
package struct PlannedPeople: Sendable {
    private let surveys: [PeopleName: ListSurvey]

    /// `surveys`: by the ID of what a message sends to the list, and the columns of its people.
    package init(_ surveys: [PeopleName: ListSurvey]) {
        self.surveys = surveys
    }

    package static let none = PlannedPeople([:])

    package var lists: [PeopleName] { Array(surveys.keys) }

    /// Returns the people of a list; nil if the plan was made without it.
    package func people(of list: PeopleName) -> ListPeople? {
        surveys[list].map { ListPeople($0) }
    }
}

extension ListPeople {
    /// The number of the zone of each row's person, which the person's first row with a zone names;
    /// 0 if none does.
    package var personZones: [UInt16] {
        guard let zoneNumbers, identities != nil else {
            return zoneNumbers ?? Array(repeating: 0, count: count)
        }
        let table = PeopleTable(keys)
        var zones = [UInt16](repeating: 0, count: table.count)
        for (person, number) in zip(table.rows, zoneNumbers)
        where person != PeopleTable.none && zones[Int(person)] == 0 {
            zones[Int(person)] = number
        }
        return table.rows.map { $0 == PeopleTable.none ? 0 : zones[Int($0)] }
    }

    package init(_ survey: ListSurvey) {
        let registrations = survey.fingerprints.inOrder().map(\.high)
        let identities = survey.identities?.map(\.high)
        let zones = survey.zones.flatMap { $0.names.isEmpty ? nil : $0 }
        self.init(
            registrations: registrations,
            identities: identities,
            zones: zones?.names ?? [],
            zoneNumbers: zones?.numbers
        )
    }
}

extension Planner {
    /// The people of the campaigns' lists that the frequency cap, quiet hours or an experiment need.
    var plannedPeople: PlannedPeople {
        guard !isFromState else { return .none }
        var found: [PeopleName: ListSurvey] = [:]
        for campaign in project.campaigns {
            guard case .registrations(let list) = campaign.target, !list.isReadAtSend,
                guards.limits.cap != nil || known.recipients[campaign.id] != nil
                    || experiment(of: campaign) != nil,
                let survey = try? survey(of: list)
            else { continue }
            let id = survey.contentID(for: project.columns(of: campaign))
            found[PeopleName(of: id, columns: list.peopleColumns)] = survey
        }
        return PlannedPeople(found)
    }
}
