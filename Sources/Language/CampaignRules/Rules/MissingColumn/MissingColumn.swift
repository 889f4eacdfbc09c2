import CampaignLoading
import CampaignMessages
import CampaignModel
import Diagnostics
import JSON
import RegistrationLists
import Text

extension Rule {
    static let missingColumn = Rule(.missingColumn) { context, log in
        for campaign in context.project.campaigns {
            guard case .registrations(let list) = campaign.target,
                let columns = context.project.columns(of: campaign),
                case .success(let survey)? = context.surveys[list]
            else { continue }
            let declaration = context.declaration(of: campaign)
            let use = ColumnUse(campaign, of: list, as: declaration)
            if let name = columns.texts?.column, survey.absent.contains(name) {
                let span = declaration?.locales?.span
                log.report(.noLocaleColumn(name, in: list, among: survey.columns, at: span))
            }
            if let name = columns.times, survey.absent.contains(name) {
                let span = declaration?.schedule?.value.atColumn?.span
                log.report(.absentColumn(name, used: use, among: survey.columns, at: span))
            }
            for name in columns.names where survey.absent.contains(name) {
                log.report(.absentColumn(name, used: use, among: survey.columns))
            }
            if let times = survey[columns]?.times, !times.isValid {
                let column = declaration?.schedule?.value.atColumn
                log.report(.unusableTimes(times, in: list, of: column))
            }
            if list.hasPublicKeys, let values = survey[columns]?.withoutKey {
                log.report(.withoutKey(values, in: list, at: declaration?.encrypt?.span))
            }
            for values in survey[columns]?.missing ?? [] {
                log.report(.missingValues(values, used: use))
            }
        }
    }
}

/// The message that uses a column of a list.
private struct ColumnUse {
    let list: RegistrationList
    private let texts: [(content: JSONValue, message: MessageDeclaration?)]

    init(_ campaign: Campaign, of list: RegistrationList, as declaration: CampaignDeclaration?) {
        self.list = list
        let locales = declaration?.locales?.value ?? []
        texts =
            [(.object(campaign.content.fields), declaration?.message?.value)]
            + campaign.localizations.map { local in
                let entry = locales.first { $0.name.value == .locale(local.locale) }
                return (.object(local.content.fields), entry?.content)
            }
            + campaign.variants.map { variant in
                let entry = declaration?.variants?.value.first { $0.name.value == variant.id }
                let message = entry?.content?.message?.value ?? declaration?.message?.value
                return (.object(variant.content.fields), message)
            }
    }

    /// The span of a column's first placeholder.
    func span(of column: String) -> SourceSpan? {
        for text in texts {
            guard let place = text.content.placeholder(of: column) else { continue }
            return text.message?.span(of: place.range, in: place.text, at: place.path)
        }
        return nil
    }
}

extension JSONValue {
    /// Returns the first placeholder of a column: its text, its UTF-8 bytes, and the text's path.
    fileprivate func placeholder(
        of column: String,
        at path: [String] = []
    ) -> (text: String, range: Range<Int>, path: [String])? {
        switch self {
        case .string(let text):
            return TextTemplate.place(of: column, in: text).map { (text, $0, path) }
        case .array(let elements):
            return elements.enumerated().lazy
                .compactMap { $1.placeholder(of: column, at: path + [String($0)]) }.first
        case .object(let object):
            return object.members.lazy
                .compactMap { $0.value.placeholder(of: column, at: path + [$0.key]) }.first
        case .null, .bool, .integer, .number: return nil
        }
    }
}

extension ListReference {
    /// The keys of the list's description that name a column.
    fileprivate func keys(of column: String) -> String {
        guard case .described(let file) = self, column != file.column, column != file.identity
        else { return "`column` or `identity`" }
        let keys = [
            ("locale", file.locale), ("timezone", file.timeZone), ("public_key", file.publicKey),
            ("covariate", file.covariate),
        ]
        return keys.first { $0.1 == column }.map { "`\($0.0)`" } ?? "`column` or `identity`"
    }
}

extension RegistrationList {
    fileprivate func hasNo(column: String) -> String {
        if case .set = self { return "no list of the set has a column `\(column)`" }
        let name = path.map { "the list \($0)" } ?? "a list of registrations"
        return "\(name) has no column `\(column)`"
    }
}

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
                    ?? "name a column of the \(place) in \(reference.value.keys(of: column.name))"
            ]
        )
    }

    fileprivate static func absentColumn(
        _ name: String,
        used use: ColumnUse,
        among columns: Set<String>?,
        at span: SourceSpan? = nil
    ) -> Diagnostic {
        let nearest = columns.flatMap { SpellingSuggestion.key(name, among: $0.sorted()) }
        return Diagnostic(
            rule: .missingColumn,
            message: use.list.hasNo(column: name),
            span: span ?? use.span(of: name),
            label: "names a column of the list",
            help: [
                nearest.map { "did you mean `\($0)`?" }
                    ?? (columns == nil
                        ? "use a .csv or .ndjson file: only these have columns"
                        : "add the column to the list, or write the text itself")
            ]
        )
    }

    fileprivate static func missingValues(
        _ values: MessageSurvey.MissingValues,
        used use: ColumnUse
    ) -> Diagnostic {
        let rows = values.count == 1 ? "1 row has" : "\(values.count) rows have"
        return Diagnostic(
            rule: .missingColumn,
            message:
                "\(rows) no `\(values.column)`, the first at "
                + "\(values.path ?? use.list.path ?? ""):\(values.line)",
            span: use.span(of: values.column),
            label: "has no value in these rows",
            help: [
                "fill the column, or add `columns: { \(values.column): { default: TEXT } }` to "
                    + "the audience"
            ]
        )
    }

    /// Rows for which the message cannot be encrypted.
    fileprivate static func withoutKey(
        _ values: MessageSurvey.MissingValues,
        in list: RegistrationList,
        at span: SourceSpan?
    ) -> Diagnostic {
        let rows = values.count == 1 ? "1 row has" : "\(values.count) rows have"
        return Diagnostic(
            rule: .missingColumn,
            message:
                "\(rows) no `\(values.column)`, the first at "
                + "\(values.path ?? list.path ?? ""):\(values.line)",
            span: span,
            label: "encrypts the message with the key of each row",
            help: ["add the keys, or leave these rows out with `exclude`"]
        )
    }

    /// Values that are not times, or too many different ones.
    fileprivate static func unusableTimes(
        _ times: RowTimes,
        in list: RegistrationList,
        of column: Spanned<String>?
    ) -> Diagnostic {
        let name = column?.value ?? ""
        guard let first = times.invalid.first else {
            return Diagnostic(
                rule: .numberOutOfRange,
                message:
                    "the column `\(name)` has more than \(RowTimes.maximumCount) different times",
                span: column?.span,
                label: "names that column",
                help: ["round the times, for example to quarters of an hour"]
            )
        }
        func place(_ time: RowTimes.Invalid) -> String {
            "\(time.path ?? list.path ?? ""):\(time.line)"
        }
        let more = times.invalidCount - times.invalid.count
        return Diagnostic(
            rule: .momentSyntax,
            message: "\(place(first)): its `\(name)` is not a time",
            span: column?.span,
            label: "names that column",
            help: times.invalid.dropFirst().map { "\(place($0)) has no time either" }
                + (more > 0 ? ["\(more) more rows have no time"] : [])
                + ["write `YYYY-MM-DD HH:MM`, or RFC 3339 with an offset"]
        )
    }

    fileprivate static func noLocaleColumn(
        _ name: String,
        in list: RegistrationList,
        among columns: Set<String>?,
        at span: SourceSpan?
    ) -> Diagnostic {
        let nearest = columns.flatMap { SpellingSuggestion.key(name, among: $0.sorted()) }
        return Diagnostic(
            rule: .missingColumn,
            message: list.hasNo(column: name),
            span: span,
            label: "selected by that column",
            help: [
                nearest.map { "write `registrations: { file: …, locale: \($0) }`" }
                    ?? (columns == nil
                        ? "use a .csv or .ndjson file: only these have columns"
                        : "add the column, or write `registrations: { file: …, locale: COLUMN }`")
            ]
        )
    }
}
