import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    /// Checks that a text covers the locale of every row, and the defaults of columns of locales.
    static let uncoveredLocale = Rule(.uncoveredLocale) { context, log in
        for campaign in context.project.campaigns
        where !campaign.localizations.isEmpty && context.isWhole(campaign) {
            guard case .registrations(let list) = campaign.target,
                let columns = context.project.columns(of: campaign),
                case .success(let survey)? = context.surveys[list],
                let locales = survey[columns]?.texts, let first = locales.uncovered.first
            else { continue }
            let rows = UncoveredRows(
                campaign: campaign,
                column: list.localeColumn,
                path: list.path,
                locales: locales
            )
            log.report(.uncovered(first, of: rows, at: context.declaration(of: campaign)))
        }
        context.checkDefaultLocales(reportingTo: &log)
    }
}

extension RuleContext {
    /// Reports defaults that are not locales, in columns whose values must be locales.
    fileprivate func checkDefaultLocales(reportingTo log: inout DiagnosticLog) {
        let localized = Set(
            project.campaigns.filter { !$0.localizations.isEmpty }.compactMap(\.audience)
        )
        let lists = listsOfAudiences
        for audience in declarations.audiences {
            guard let id = audience.value.audience?.value, let list = lists[id],
                list.namedLocaleColumn != nil || localized.contains(id)
            else { continue }
            for column in audience.value.columns?.value ?? []
            where column.name.value == list.localeColumn {
                guard let standard = column.content?.standard, Locale(standard.value) == nil else {
                    continue
                }
                log.report(.defaultLocale(standard.value, at: standard.span))
            }
        }
    }
}

/// The rows of a list whose locales no text of a campaign covers.
private struct UncoveredRows {
    let campaign: Campaign
    let column: String
    /// Nil for a set, whose rows have their own.
    let path: String?
    let locales: RowTexts

    /// The locales after the first, and the rows that are not listed.
    var others: [String] {
        let listed = locales.uncovered.reduce(0) { $0 + $1.count }
        let more = locales.uncoveredCount - listed
        return locales.uncovered.dropFirst().map { other in
            (other.locale.map { "`\($0)`" } ?? "no locale") + ": " + place(of: other)
        } + (more > 0 ? ["\(more) more rows with other locales"] : [])
    }

    func place(of rows: RowTexts.Uncovered) -> String {
        let place = "\(rows.path ?? path ?? ""):\(rows.line)"
        return rows.count == 1 ? "1 row, at \(place)" : "\(rows.count) rows, the first at \(place)"
    }
}

extension RowTexts.Uncovered {
    /// A key of `locales` that covers the locale.
    fileprivate var key: String? {
        guard let locale, let language = locale.split(separator: "-").first else { return nil }
        return Locale(String(language)) == nil ? locale : String(language)
    }
}

extension Diagnostic {
    fileprivate static func uncovered(
        _ first: RowTexts.Uncovered,
        of rows: UncoveredRows,
        at declaration: CampaignDeclaration?
    ) -> Diagnostic {
        let locale = first.locale.map { "the locale `\($0)`" } ?? "rows without a locale"
        let remedy =
            first.key.map { "add the key `\($0)`" }
            ?? "fill the column `\(rows.column)`, or add `columns: { \(rows.column): { default: TAG "
            + "} }` to the audience"
        return Diagnostic(
            rule: .uncoveredLocale,
            message: "no text of `\(rows.campaign.id)` covers \(locale) (\(rows.place(of: first)))",
            span: declaration?.locales?.span,
            label: "has no key for it",
            help: rows.others + [
                remedy + ", or add `\"*\": {}` to send the campaign's own text to all others"
            ]
        )
    }

    fileprivate static func defaultLocale(_ text: String, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .localeTag,
            message: "`\(text)` is not a language tag",
            span: span,
            label: "the locale of rows without one",
            help: [
                Locale.meant(by: text).map { "write `\($0)`" }
                    ?? "write a tag such as `pt` or `pt-BR`"
            ]
        )
    }
}
