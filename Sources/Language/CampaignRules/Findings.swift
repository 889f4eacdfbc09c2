package import CampaignLoading
package import Diagnostics
package import RegistrationLists
package import Time

extension LoadedProject {
    /// Returns all findings after all rules have run and the project's settings are applied.
    ///
    /// `trackedFiles`: nil if Git was not queried, or did not answer.
    package func findings(
        _ surveys: ListSurveys,
        at now: Instant,
        trackedFiles: TrackedFiles? = nil
    ) -> DiagnosticLog {
        var log = log
        if let project {
            let context = RuleContext(
                project: project,
                declarations: declarations,
                surveys: surveys,
                zones: zones,
                now: now,
                trackedFiles: trackedFiles
            )
            allRules.check(context, reportingTo: &log)
        }
        let unchecked: Set<RuleID> = trackedFiles == nil ? [.trackedList] : []
        return settings.apply(to: log.withoutRefusedRegistrations, besides: unchecked).map {
            $0.rewording(\.withoutSecrets).offering {
                shared.holds($0.span) ? .suggested : $0.applicability
            }
        }
    }
}
