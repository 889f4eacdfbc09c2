import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    /// Reads every list of registrations once, from beginning to end.
    ///
    /// Otherwise a missing or empty list would be noticed only when the message is sent.
    static let usableLists = Rule(.emptyList) { context, log in
        for reference in context.listReferences {
            let list = reference.place.value.list
            guard case .failure(let error)? = context.surveys[list],
                !(list.isReadWhenSent && error.saysNothingIsThere)
            else { continue }
            log.report(.unusable(error, reference.place, reference.isSubscribed))
        }
    }
}

extension RuleContext {
    /// The lists as written, and whether their registrations are kept subscribed to topics.
    ///
    /// The lists of audiences come first, then those that campaigns name themselves.
    fileprivate var listReferences: [(place: Spanned<ListReference>, isSubscribed: Bool)] {
        declarations.audiences.compactMap { audience in
            audience.value.registrations.map { ($0, audience.value.subscribe != nil) }
        }
            + declarations.campaigns.compactMap { campaign in
                guard case .registrations(let list)? = campaign.value.audience?.value else {
                    return nil
                }
                return (list, false)
            }
    }
}

extension RegistrationList {
    fileprivate var isReadWhenSent: Bool {
        if case .described(let file) = self { file.reading == .atSend } else { false }
    }

    fileprivate var format: RegistrationFile.Format {
        if case .described(let file) = self { file.format } else { .text }
    }
}

extension RegistrationListError {
    fileprivate var saysNothingIsThere: Bool {
        switch self {
        case .unreadable, .empty: true
        case .brokenLines, .repeated, .missingColumn, .changed, .notBuilt: false
        }
    }
}

extension ListReference {
    /// Returns the span of a registration of an inline list; numbers count from 1.
    fileprivate func place(of number: Int) -> SourceSpan? {
        guard case .inline(let registrations) = self, registrations.indices.contains(number - 1)
        else { return nil }
        return registrations[number - 1].span
    }
}

extension Diagnostic {
    fileprivate static func unusable(
        _ error: RegistrationListError,
        _ reference: Spanned<ListReference>,
        _ isSubscribed: Bool
    ) -> Diagnostic {
        switch error {
        case .unreadable(let path, let reason):
            Diagnostic(
                rule: .unreadableFile,
                message: "the list \(path) can't be read: \(reason)",
                span: reference.span,
                label: "this list",
                help: ["the path is relative to the folder of herald.yaml"]
            )
        case .empty:
            Diagnostic(
                rule: .emptyList,
                message: "the list has no registration",
                span: reference.span,
                label: "this list",
                help: [
                    isSubscribed
                        ? "to unsubscribe everybody, leave the list as it was and write "
                            + "`subscribe: []`"
                        : "a list needs at least one registration"
                ]
            )
        case .brokenLines(let lines, let path, let count):
            .broken(lines, path, count, reference)
        case .missingColumn(let column): .missing(column, reference)
        case .repeated(let line, let first, let path, let count):
            .repeated(line, first, path, count, reference)
        case .notBuilt(let path):
            Diagnostic(
                rule: .notBuiltYet,
                message: "the format of \(path) is not built yet",
                span: reference.span
            )
        case .changed(let path):
            Diagnostic(
                rule: .unreadableFile,
                message: "the list \(path ?? "") changed while it was read",
                span: reference.span
            )
        }
    }

    private static func broken(
        _ lines: [RegistrationListError.BrokenLine],
        _ path: String,
        _ count: Int,
        _ reference: Spanned<ListReference>
    ) -> Diagnostic {
        let format = reference.value.list.format
        let first = lines.first
        let more = count - lines.count
        let again = format == .text ? "so is" : "nor can"
        let all = format == .text && more > 1 ? "so are" : again
        return Diagnostic(
            rule: .brokenListLine,
            message: "\(path):\(first?.number ?? 0) \(format.verdict): \(first?.reason ?? "")",
            span: reference.span,
            label: "in this list",
            help: lines.dropFirst().map { "\(again) line \($0.number): \($0.reason)" }
                + (more > 0 ? ["\(all) \(more) more"] : []) + [format.help]
        )
    }

    private static func missing(
        _ column: RegistrationListError.MissingColumn,
        _ reference: Spanned<ListReference>
    ) -> Diagnostic {
        let place = reference.value.list.format == .csv ? "head line" : "first object"
        let separator = column.separator.map { $0 == "\t" ? "tabs" : "`\($0)`" }
        return Diagnostic(
            rule: .missingColumn,
            message: "\(column.path):\(column.line) has no column `\(column.name)`",
            span: reference.span,
            label: "in this list",
            help: [
                separator.map { "its fields seem to be separated by \($0): a CSV has commas" }
                    ?? column.nearest.map { "did you mean `\($0)`?" }
                    ?? "the \(place) names the columns; `column` and `identity` say which to read"
            ]
        )
    }

    private static func repeated(
        _ line: Int,
        _ first: Int,
        _ path: String?,
        _ count: Int,
        _ reference: Spanned<ListReference>
    ) -> Diagnostic {
        let place = path.map { "\($0):\(line) repeats the registration of line \(first)" }
        let others = count > 1 ? ["\(count) lines repeat an earlier one"] : []
        return Diagnostic(
            rule: .duplicateRegistration,
            message: place ?? "registration \(line) repeats registration \(first)",
            span: reference.value.place(of: line) ?? reference.span,
            label: path == nil ? "the second" : "in this list",
            related: reference.value.place(of: first).map {
                [RelatedPlace(span: $0, message: "the first")]
            } ?? [],
            help: others + ["take it out: it would be sent to twice"]
        )
    }
}

extension RegistrationFile.Format {
    fileprivate var verdict: String {
        self == .text ? "is no registration" : "can't be used"
    }

    fileprivate var help: String {
        switch self {
        case .text: "a list has one registration a line; `#` begins a comment"
        case .csv:
            "a field that has a comma, a quotation mark or a line break stands in quotation "
                + "marks, and a quotation mark in it is written twice"
        case .ndjson: "each line is one JSON object"
        }
    }
}
