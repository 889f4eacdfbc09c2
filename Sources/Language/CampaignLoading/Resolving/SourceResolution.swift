import CampaignModel
import Diagnostics
import Text

/// The references of lists to the sources of the project file.
extension Declarations {
    /// Gives each list of a source the format of the source, and reports unknown sources.
    mutating func resolveSources(reportingTo log: inout DiagnosticLog) {
        guard let project else { return }
        let names = SourceNames(project.sources?.value ?? [], areComplete: !areSourcesDoubtful)
        audiences = audiences.map { audience in
            guard let list = audience.value.registrations, let source = list.value.sourced else {
                return audience
            }
            var changed = audience.value
            let resolved = names.resolve(source, reportingTo: &log)
            changed.registrations = Spanned<ListReference>(resolved, at: list.span)
            return Spanned(changed, at: audience.span)
        }
        campaigns = campaigns.map { campaign in
            guard let audience = campaign.value.audience,
                case .registrations(let list) = audience.value, let source = list.value.sourced
            else { return campaign }
            var changed = campaign.value
            let resolved = names.resolve(source, reportingTo: &log)
            changed.audience = Spanned(
                .registrations(Spanned(resolved, at: list.span)),
                at: audience.span
            )
            return CampaignDocument(changed, at: campaign.span)
        }
    }
}

extension ProjectResolver {
    func resolveSources(_ declared: ProjectDeclaration) -> [ListSourceID: ListSource] {
        var sources: [ListSourceID: ListSource] = [:]
        for entry in declared.sources?.value ?? [] {
            guard let source = entry.content?.source(entry.name.value) else { continue }
            sources[source.id] = source
        }
        return sources
    }
}

extension ListReference {
    fileprivate var sourced: SourcedList? {
        if case .sourced(let list) = self { list } else { nil }
    }
}

/// The declared sources; nil for one that could not be read.
private struct SourceNames {
    private let sources: [ListSourceID: ListSource?]
    /// Whether the name of every source could be read.
    private let areComplete: Bool

    init(_ entries: [NamedEntry<ListSourceID, SourceDeclaration>], areComplete: Bool) {
        let named = entries.map { ($0.name.value, $0.content?.source($0.name.value)) }
        sources = Dictionary(named, uniquingKeysWith: { first, _ in first })
        self.areComplete = areComplete
    }

    func resolve(
        _ list: SourcedList,
        reportingTo log: inout DiagnosticLog
    ) -> ListReference {
        let id = list.source.value
        switch sources[id] {
        case .some(.some(let source)):
            if source.format == .text, let column = list.firstColumn {
                log.report(.columnOfText(column, source: id))
            }
            return .described(list.file(as: source.format))
        // The source was reported.
        case .some(.none): break
        case .none where areComplete:
            log.report(.unknownSource(list.source, among: sources.keys.map(\.rawValue).sorted()))
        case .none: break
        }
        return .sourced(list)
    }
}

extension Diagnostic {
    fileprivate static func unknownSource(
        _ name: Spanned<ListSourceID>,
        among known: [String]
    ) -> Diagnostic {
        let near = SpellingSuggestion.nearest(to: name.value.rawValue, among: known)
        return Diagnostic(
            rule: .unknownValue,
            message: "there is no source `\(name.value)`",
            span: name.span,
            label: "not in `sources` of herald.yaml",
            help: [
                near.map { "did you mean `\($0)`?" }
                    ?? "declare it in herald.yaml: `sources: { \(name.value): … }`"
            ],
            fix: near.map { Fix(span: name.span, replacement: $0) }
        )
    }

    fileprivate static func columnOfText(
        _ column: Spanned<String>,
        source: ListSourceID
    ) -> Diagnostic {
        Diagnostic(
            rule: .conflictingKeys,
            message: "the source `\(source)` writes one registration per line and no columns",
            span: column.span,
            label: "only the formats csv and ndjson have columns",
            help: ["remove it, or write another `format` in `sources.\(source)`"]
        )
    }
}
