import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists
import Text

extension Rule {
    static let missingColumn = Rule(.missingColumn) { context, log in
        for campaign in context.project.campaigns where !campaign.localizations.isEmpty {
            guard case .registrations(let list) = campaign.target,
                case .success(let survey)? = context.surveys[list],
                let columns = survey.columns, !columns.contains(localeColumn),
                let span = context.declaration(of: campaign)?.locales?.span
            else { continue }
            log.report(.noLocaleColumn(in: list.path ?? "", among: columns, at: span))
        }
    }
}

private let localeColumn = "locale"

extension Diagnostic {
    /// A column that the list itself names.
    static func missingColumn(
        _ column: RegistrationListError.MissingColumn,
        in reference: Spanned<ListReference>
    ) -> Diagnostic {
        let place = reference.value.list.format == .csv ? "header line" : "first object"
        let separator = column.separator.map { $0 == "\t" ? "tabs" : "`\($0)`" }
        return Diagnostic(
            rule: .missingColumn,
            message: "\(column.path):\(column.line) has no column `\(column.name)`",
            span: reference.span,
            label: "in this list",
            help: [
                separator.map { "separate the fields by commas instead of \($0)" }
                    ?? column.nearest.map { "did you mean `\($0)`?" }
                    ?? "name a column of the \(place) in `column` or `identity`"
            ]
        )
    }

    fileprivate static func noLocaleColumn(
        in path: String,
        among columns: Set<String>,
        at span: SourceSpan
    ) -> Diagnostic {
        let nearest = SpellingSuggestion.key(localeColumn, among: columns.sorted())
        return Diagnostic(
            rule: .missingColumn,
            message: "the list \(path) has no column `\(localeColumn)`",
            span: span,
            label: "selected by that column",
            help: [
                nearest.map { "rename its column `\($0)` to `\(localeColumn)`" }
                    ?? "add the column to the list, or remove `locales`"
            ]
        )
    }
}
