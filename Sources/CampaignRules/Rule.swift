package import CampaignLoading
package import CampaignModel
package import Diagnostics
package import Registrations

/// A check that needs two fields, two files or a list.
package struct Rule: Sendable {
    package let id: RuleID
    package let check: @Sendable (RuleContext, inout DiagnosticLog) -> Void
}

/// What rules look at.
package struct RuleContext: Sendable {
    package let project: Project
    package let declarations: Declarations
    package let surveys: ListSurveys

    package init(project: Project, declarations: Declarations, surveys: ListSurveys) {
        self.project = project
        self.declarations = declarations
        self.surveys = surveys
    }

    /// A campaign as written, to point into its file.
    func declaration(of campaign: Campaign) -> CampaignDeclaration? {
        declarations.campaigns.first { $0.value.campaign?.value == campaign.id }?.value
    }
}

/// Every rule, in the order in which they run.
package let allRules: [Rule] =
    [
        .payloadTooLarge,
        .payloadOver4000,
        .payloadOver2048,
        .usableLists,
    ] + conditionRules.map(Rule.init)

extension [Rule] {
    package func check(_ context: RuleContext, _ log: inout DiagnosticLog) {
        for rule in self { rule.check(context, &log) }
    }
}
