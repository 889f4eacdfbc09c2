import CampaignLoading
import Diagnostics
import RegistrationLists

extension Rule {
    static let inconsistentPerson = Rule(.inconsistentPerson) { context, log in
        for reference in context.listReferences {
            guard case .success(let survey)? = context.surveys[reference.place.value.list] else {
                continue
            }
            for difference in survey.people?.differences ?? [] {
                log.report(.inconsistentPeople(difference, at: reference.place.span))
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func inconsistentPeople(
        _ difference: PeopleSurvey.Difference,
        at span: SourceSpan
    ) -> Diagnostic {
        let (place, first) = (difference.place, difference.firstPlace)
        let people = difference.people == 1 ? "1 person" : "\(difference.people) people"
        let verb = difference.people == 1 ? "has" : "have"
        let earlier =
            first.path == place.path ? "line \(first.line)" : "\(first.path):\(first.line)"
        return Diagnostic(
            rule: .inconsistentPerson,
            message: "\(people) \(verb) rows with different values of `\(difference.column)`, the "
                + "first at \(place.path):\(place.line) and \(earlier)",
            span: span,
            label: "in this list",
            help: ["give all rows of a person the same `\(difference.column)`"]
        )
    }
}
