package import CampaignLoading
package import Diagnostics
package import Registrations

extension LoadedProject {
    /// Everything that was found, after every rule has looked and the authors had their say.
    package func findings(_ surveys: ListSurveys) -> DiagnosticLog {
        var log = log
        if let project {
            let context = RuleContext(
                project: project,
                declarations: declarations,
                surveys: surveys
            )
            allRules.check(context, &log)
        }
        return settings.apply(to: log)
    }
}
