package import CampaignLoading
package import Diagnostics
package import RegistrationLists
package import Time

extension LoadedProject {
    /// Returns all findings after all rules have run and the project's settings are applied.
    package func findings(_ surveys: ListSurveys, at now: Instant) -> DiagnosticLog {
        var log = log
        if let project {
            let context = RuleContext(
                project: project,
                declarations: declarations,
                surveys: surveys,
                zones: zones,
                now: now
            )
            allRules.check(context, reportingTo: &log)
        }
        return settings.apply(to: log.withoutRefusedRegistrations).map {
            $0.rewording(\.withoutSecrets).offering {
                shared.holds($0.span) ? .suggested : $0.applicability
            }
        }
    }
}
