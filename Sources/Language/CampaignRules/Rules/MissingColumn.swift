import CampaignLoading
import CampaignModel
import Diagnostics
import Text
import RegistrationLists

extension RulePage {
    static let missingColumn = RulePage(
        .missingColumn,
        whatItDoes: """
            Looks for the columns that are named where a list is used.

            They are `column` and `identity` of the list, and `locale` where a campaign has \
            `locales`. The names stand in the head line of a CSV, and in the first object of an NDJSON list.
            """,
        whyIsThisBad: """
            Without the column nobody can be told apart by it: the list cannot be read, or nobody \
            is sent to in another language.
            """,
        example: """
            audience: beta-anglers
            registrations: { file: campaigns/registrations/beta.csv, column: registration }
            === campaigns/registrations/beta.csv
            name,registrations
            Ana,angler:1
            Rui,angler:2
            """,
        useInstead: """
            audience: beta-anglers
            registrations: { file: campaigns/registrations/beta.csv, column: registration }
            === campaigns/registrations/beta.csv
            name,registration
            Ana,angler:1
            Rui,angler:2
            """,
        source: "Herald, Documentation/Reference/Language.md, Audiences"
    )
}

extension Rule {
    static let missingColumn = Rule(.missingColumn) { context, log in
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
