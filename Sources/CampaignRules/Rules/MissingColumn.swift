import CampaignLoading
import CampaignModel
import Diagnostics
import Registrations

extension Rule {
    /// What it does: looks for the column by which a campaign's `locales` are chosen in its list.
    ///
    /// Why is this bad: without it nobody is sent to in another language.
    static let missingColumn = Rule(id: .missingColumn) { context, log in
        for campaign in context.project.campaigns where !campaign.localizations.isEmpty {
            guard case .registrations(let list) = campaign.target,
                case .success(let survey)? = context.surveys[list],
                let columns = survey.columns, !columns.contains(localeColumn),
                let span = context.declaration(of: campaign)?.locales?.span
            else { continue }
            log.report(.noLocaleColumn(in: list.path ?? "", columns, at: span))
        }
    }
}

private let localeColumn = "locale"

extension Diagnostic {
    fileprivate static func noLocaleColumn(
        in path: String,
        _ columns: Set<String>,
        at span: SourceSpan
    ) -> Diagnostic {
        let nearest = SpellingSuggestion.key(localeColumn, among: columns.sorted())
        return Diagnostic(
            rule: .missingColumn,
            message: "the list \(path) has no column `\(localeColumn)`",
            span: span,
            label: "chosen by that column",
            help: [
                nearest.map { "it has `\($0)`: call it `\(localeColumn)`" }
                    ?? "add it to the list, or take `locales` out"
            ]
        )
    }
}
