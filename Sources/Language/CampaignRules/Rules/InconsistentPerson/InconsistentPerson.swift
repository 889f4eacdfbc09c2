import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    static let inconsistentPerson = Rule(.inconsistentPerson) { context, log in
        for reference in context.listReferences {
            guard case .success(let survey)? = context.surveys[reference.place.value.list] else {
                continue
            }
            for difference in survey.people?.differences ?? [] {
                log.report(
                    .inconsistentPeople(difference, at: reference.place.span, label: "in this list")
                )
            }
        }
        for set in context.sets where !context.isAnyPartInconsistent(of: set.list) {
            guard case .success(let survey)? = context.surveys[set.list] else { continue }
            for difference in survey.people?.differences ?? [] {
                log.report(
                    .inconsistentPeople(difference, at: set.span, label: "in lists of this set")
                )
            }
        }
    }
}

extension RuleContext {
    /// Whether a list of a set has this finding, which the set would repeat.
    fileprivate func isAnyPartInconsistent(of set: RegistrationList) -> Bool {
        set.withParts.dropLast().contains { part in
            guard case .success(let survey)? = surveys[part] else { return false }
            return survey.people?.differences.isEmpty == false
        }
    }
}

extension Diagnostic {
    fileprivate static func inconsistentPeople(
        _ difference: PeopleSurvey.Difference,
        at span: SourceSpan,
        label: String
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
            label: label,
            help: ["give all rows of a person the same `\(difference.column)`"]
        )
    }
}
