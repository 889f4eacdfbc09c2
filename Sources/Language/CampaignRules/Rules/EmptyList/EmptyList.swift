import CampaignLoading
import CampaignModel
import Diagnostics
import RegistrationLists

extension Rule {
    /// Reads every list of registrations once, from beginning to end.
    ///
    /// A list that a plan does not need may be missing or empty until its send begins.
    /// A source that was not read is noted at its first list.
    static let emptyList = Rule(.emptyList) { context, log in
        var notRead: Set<ListSourceID> = []
        let planned = Set(context.project.plannedLists)
        for reference in context.listReferences {
            let list = reference.place.value.list
            guard case .failure(let error)? = context.surveys[list],
                planned.contains(list) || !error.saysNothingIsThere
            else { continue }
            if case .sourceNotRead(let source) = error {
                guard notRead.insert(source).inserted else { continue }
            }
            log.report(
                .unusable(error, reference: reference.place, isSubscribed: reference.isSubscribed)
            )
        }
        for set in context.sets {
            guard case .failure(let error)? = context.surveys[set.list],
                planned.contains(set.list) || !error.saysNothingIsThere
            else { continue }
            log.report(.unusable(error, set: set))
        }
    }
}

extension RegistrationListError {
    fileprivate var saysNothingIsThere: Bool {
        switch self {
        case .unreadable(_, let reason): reason.isMissing
        case .empty: true
        case .brokenLines, .repeated, .missingColumn, .changed, .sourceNotRead: false
        }
    }
}

extension Diagnostic {
    fileprivate static func unusable(
        _ error: RegistrationListError,
        set: FormedSet
    ) -> Diagnostic {
        guard case .empty = error else {
            return Diagnostic(
                rule: .unreadableFile,
                message: "the lists of the set changed while Herald read them",
                span: set.span
            )
        }
        return Diagnostic(
            rule: .emptyList,
            message: set.isOfCampaign
                ? "`exclude` leaves no registrations" : "the set contains no registrations",
            span: set.span,
            label: "nothing is left",
            help: [
                set.isSubscribed
                    ? "to unsubscribe all registrations, keep the set and write `subscribe: []`"
                    : "name other lists, or add registrations to them"
            ]
        )
    }

    fileprivate static func unusable(
        _ error: RegistrationListError,
        reference: Spanned<ListReference>,
        isSubscribed: Bool
    ) -> Diagnostic {
        switch error {
        case .unreadable(let path, let reason):
            Diagnostic(
                rule: .unreadableFile,
                message: "cannot read the list \(path): \(reason)",
                span: reference.span,
                label: "this list",
                help: ["check the path; it is relative to the directory of herald.yaml"]
            )
        case .empty:
            Diagnostic(
                rule: .emptyList,
                message: "the list contains no registrations",
                span: reference.span,
                label: "this list",
                help: [
                    isSubscribed
                        ? "to unsubscribe all registrations, keep the list and write "
                            + "`subscribe: []`"
                        : "add at least one registration"
                ]
            )
        case .brokenLines(let lines, let path, let count):
            .brokenListLine(lines, in: path, count: count, reference: reference)
        case .missingColumn(let column): .missingColumn(column, in: reference)
        case .repeated(let line, let first, let path, let count, let firstPath):
            .duplicateRegistration(
                (repeated: line, first: first),
                in: path,
                after: firstPath ?? path,
                count: count,
                reference: reference
            )
        case .changed(let path):
            Diagnostic(
                rule: .unreadableFile,
                message: "the list \(path ?? "") changed while Herald read it",
                span: reference.span
            )
        case .sourceNotRead(let source): .sourceNotRead(source, reference: reference)
        }
    }

    /// Not an error: sources run only with the operator's consent.
    private static func sourceNotRead(
        _ source: ListSourceID,
        reference: Spanned<ListReference>
    ) -> Diagnostic {
        Diagnostic(
            rule: .unreadableFile,
            severity: .note,
            message: "the source `\(source)` was not read, so its lists are not checked",
            span: reference.span,
            label: "this list",
            help: ["`herald plan --allow-sources` reads it and checks its lists"]
        )
    }
}
