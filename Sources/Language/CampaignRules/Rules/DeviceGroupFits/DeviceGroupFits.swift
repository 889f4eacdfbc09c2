import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    static let deviceGroupFits = Rule(.deviceGroupFits) { context, log in
        var reported: Set<RegistrationList> = []
        for reference in context.listReferences {
            let place = reference.place
            guard case .success(let survey)? = context.surveys[place.value.list],
                let people = survey.people, people.groups > 0,
                reported.insert(place.value.list).inserted
            else { continue }
            log.report(.groupFits(people, registrations: survey.count, at: place.span))
        }
    }
}

extension Diagnostic {
    fileprivate static func groupFits(
        _ people: PeopleSurvey,
        registrations: Int,
        at span: SourceSpan
    ) -> Diagnostic {
        let groups = people.groups == 1 ? "1 person has" : "\(people.groups) people have"
        let all = people.count == 1 ? "1 person" : "\(people.count) people"
        return Diagnostic(
            rule: .deviceGroupFits,
            message: "\(groups) several registrations in this list",
            span: span,
            label: "\(all), \(registrations) registrations by the `identity` column",
            help: [
                "to reach all devices of one person with one message, create a device group with "
                    + "`herald groups create` and send to `{ group: NAME }`"
            ] + people.tooLarge
        )
    }
}

extension PeopleSurvey {
    /// A hint at a column that does not identify people.
    fileprivate var tooLarge: [String] {
        guard largerGroups > 0 else { return [] }
        let people = largerGroups == 1 ? "1 person has" : "\(largerGroups) people have"
        return [
            "\(people) more than \(DeviceGroupName.largestGroup) registrations, which do not fit "
                + "in a device group: check the column"
        ]
    }
}
