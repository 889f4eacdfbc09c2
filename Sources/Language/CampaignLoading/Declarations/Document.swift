import CampaignModel
package import Diagnostics
import Text
import YAMLSyntax

/// The kinds of documents in `campaigns/`, by their first key.
enum DocumentKind: String, CaseIterable {
    case campaign
    case audience
    case devices
    case removed
    case messages
    case upstream
}

/// The declarations of a project's documents.
package struct Declarations: Sendable {
    package internal(set) var project: ProjectDeclaration?
    package internal(set) var campaigns: [CampaignDocument] = []
    package internal(set) var audiences: [Spanned<AudienceDeclaration>] = []
    package internal(set) var devices: [Spanned<DevicesDeclaration>] = []
    package internal(set) var removals: [Spanned<RemovedDeclaration>] = []
    package internal(set) var messages: [Spanned<MessagesDeclaration>] = []
    package internal(set) var upstream: [Spanned<UpstreamDeclaration>] = []
    /// The entries of `messages`, from which campaigns inherit; names may be duplicates.
    private(set) var sharedMessages: [SharedMessage] = []
    /// The spans of texts in the form of a registration.
    var registrations: [SourceSpan] = []
    /// Names of audiences whose documents could not be recognized.
    ///
    /// Using such a name is not reported as an error.
    var doubtfulNames: Set<String> = []
    /// Names of shared messages whose content could not be read.
    ///
    /// Extending such a message is not reported as an error.
    private(set) var doubtfulMessages: Set<String> = []
    /// Whether audiences cannot be looked up, because a file that may declare some is unreadable.
    var areAudiencesDoubtful = false
    /// Whether shared messages cannot be looked up, because some names are unreadable.
    private(set) var areMessagesDoubtful = false
    /// The number of values that merging has repeated.
    ///
    /// Defaults repeat under every campaign, a shared message under every campaign that extends
    /// it, and a message under every variant and language.
    private var mergedValues = 0
    /// Whether topics cannot be looked up, because the registry is unreadable.
    var isRegistryDoubtful = false
    /// Whether environments cannot be looked up, because `environments` is unreadable.
    var areEnvironmentsDoubtful = false
    /// Whether sources cannot be looked up, because some names are unreadable.
    private(set) var areSourcesDoubtful = false
}

/// A campaign as written, with its span.
///
/// It is a class, because a declaration is large and passed on often.
package final class CampaignDocument: Sendable {
    package let value: CampaignDeclaration
    package let span: SourceSpan

    init(_ value: CampaignDeclaration, at span: SourceSpan) {
        self.value = value
        self.span = span
    }
}

extension Declarations {
    /// Appends the declarations of another file.
    mutating func absorb(_ other: Declarations) {
        campaigns += other.campaigns
        audiences += other.audiences
        devices += other.devices
        removals += other.removals
        messages += other.messages
        upstream += other.upstream
        sharedMessages += other.sharedMessages
        registrations += other.registrations
        doubtfulNames.formUnion(other.doubtfulNames)
        doubtfulMessages.formUnion(other.doubtfulMessages)
        areAudiencesDoubtful = areAudiencesDoubtful || other.areAudiencesDoubtful
        areMessagesDoubtful = areMessagesDoubtful || other.areMessagesDoubtful
    }

    /// Records an unreadable file: using its possible declarations is not reported as an error.
    mutating func missFile(isProject: Bool) {
        if isProject {
            isRegistryDoubtful = true
            areEnvironmentsDoubtful = true
        } else {
            areAudiencesDoubtful = true
            areMessagesDoubtful = true
        }
    }

    mutating func declareProject(_ node: SyntaxNode, reportingTo log: inout DiagnosticLog) {
        var project = ProjectDeclaration()
        guard ProjectDeclaration.reader.read(node, into: &project, reportingTo: &log) else {
            return
        }
        isRegistryDoubtful = Self.isDoubtful("topics", of: node, count: project.topics?.value.count)
        areEnvironmentsDoubtful = Self.isDoubtful(
            "environments",
            of: node,
            count: project.environments?.value.count
        )
        areSourcesDoubtful = Self.isDoubtful(
            "sources",
            of: node,
            count: project.sources?.value.count
        )
        self.project = project
    }

    /// Whether a name below a key of the project file could not be read.
    ///
    /// `count`: the number of names that were read; nil if the key was not.
    private static func isDoubtful(_ key: String, of node: SyntaxNode, count: Int?) -> Bool {
        let written = node.entries?.first { entry in
            SpellingSuggestion.nearest(to: entry.key.scalar?.text ?? "", among: [key]) != nil
        }
        return (written?.value.entries?.count ?? 0) != (count ?? 0)
            || (written != nil && count == nil)
    }

    mutating func declare(
        _ node: SyntaxNode,
        inheriting inherited: InheritedValues,
        reportingTo log: inout DiagnosticLog
    ) {
        guard let first = node.kindEntry, let key = first.key.scalar?.text else {
            let problem =
                node.entries == nil
                ? "this document is not a mapping" : "this document declares nothing"
            log.report(.unknownDocument(problem, near: nil, at: node.span))
            return
        }
        switch DocumentKind(rawValue: key) {
        case .campaign:
            guard let merged = merge(node, over: inherited, reportingTo: &log) else { return }
            var campaign = CampaignDeclaration()
            _ = CampaignDeclaration.reader.read(merged, into: &campaign, reportingTo: &log)
            campaigns.append(CampaignDocument(campaign, at: node.span))
        case .audience:
            var audience = AudienceDeclaration()
            _ = AudienceDeclaration.reader.read(node, into: &audience, reportingTo: &log)
            audiences.append(Spanned(audience, at: node.span))
        case .devices:
            var group = DevicesDeclaration()
            _ = DevicesDeclaration.reader.read(node, into: &group, reportingTo: &log)
            devices.append(Spanned(group, at: node.span))
        case .removed:
            var removal = RemovedDeclaration()
            _ = RemovedDeclaration.reader.read(node, into: &removal, reportingTo: &log)
            removals.append(Spanned(removal, at: node.span))
        case .messages:
            declareMessages(node, over: inherited.defaults, reportingTo: &log)
        case .upstream:
            var rule = UpstreamDeclaration()
            _ = UpstreamDeclaration.reader.read(node, into: &rule, reportingTo: &log)
            upstream.append(Spanned(rule, at: node.span))
        case nil:
            reportUnknown(key, at: first, to: &log)
        }
    }

    private mutating func declareMessages(
        _ node: SyntaxNode,
        over defaults: SyntaxNode?,
        reportingTo log: inout DiagnosticLog
    ) {
        var group = MessagesDeclaration()
        let known = node.withoutRemovedDefaults(of: defaults)
        _ = MessagesDeclaration.reader.read(known, into: &group, reportingTo: &log)
        messages.append(Spanned(group, at: node.span))
        var written: [String: SyntaxEntry] = [:]
        for entry in node.value(of: "messages")?.entries ?? [] {
            written[entry.key.scalar?.text ?? ""] = entry
        }
        let declared = group.messages?.value ?? []
        if group.messages == nil || declared.count < written.count { areMessagesDoubtful = true }
        for name in declared.map(\.name) {
            let text = name.value.rawValue
            if let message = written[text].flatMap({ SharedMessage(name, from: $0) }) {
                sharedMessages.append(message)
            } else {
                doubtfulMessages.insert(text)
            }
        }
    }

    /// Merges a campaign with the values that it inherits; nil if the file's campaigns inherit too
    /// much.
    private mutating func merge(
        _ node: SyntaxNode,
        over inherited: InheritedValues,
        reportingTo log: inout DiagnosticLog
    ) -> SyntaxNode? {
        guard mergedValues <= Self.mostMergedValues else { return nil }
        let values = inherited.values(of: node).map { values in
            // A correction takes the rest from the campaign that it corrects.
            node.value(of: "corrects") == nil ? values : values.keeping(["owner", "labels"])
        }
        mergedValues += values?.size ?? 0
        let merged = values.map { node.merged(over: $0) } ?? node
        mergedValues += merged.sizeOfInheritedMessages
        guard mergedValues <= Self.mostMergedValues else {
            log.report(.tooMuchMerged(at: node.entries?.first?.key.span ?? node.span))
            return nil
        }
        return merged.withWholeMessages
    }

    /// The limit per file, because merged values are in memory once per repetition.
    private static let mostMergedValues = 1_000_000

    private mutating func reportUnknown(
        _ key: String,
        at first: SyntaxEntry,
        to log: inout DiagnosticLog
    ) {
        if let name = first.value.scalar?.text { doubtfulNames.insert(name) }
        // They may be the entries of a misspelled `messages`.
        doubtfulMessages.formUnion((first.value.entries ?? []).compactMap { $0.key.scalar?.text })
        let near = SpellingSuggestion.nearest(
            to: key,
            among: DocumentKind.allCases.map(\.rawValue)
        )
        let problem = "a document cannot begin with `\(key)`"
        log.report(.unknownDocument(problem, near: near, at: first.key.span))
    }
}

extension Diagnostic {
    fileprivate static func tooMuchMerged(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .yamlAliases,
            message: "defaults and messages expand this file to more than 1,000,000 values",
            span: span,
            label: "the limit is exceeded here",
            help: ["split the file, or shorten the defaults, shared messages and variants"]
        )
    }

    fileprivate static func unknownDocument(
        _ problem: String,
        near: String?,
        at span: SourceSpan
    ) -> Diagnostic {
        let kinds = DocumentKind.allCases.map(\.rawValue).oneOf
        let way = "the first key of a document declares its kind: \(kinds)"
        return Diagnostic(
            rule: .unknownDocument,
            message: problem,
            span: span,
            label: "unknown kind of document",
            help: [near.map { "did you mean `\($0)`?" } ?? way],
            fix: near.map { Fix(span: span, replacement: $0) }
        )
    }
}
