import Diagnostics
import Scheduling
import Time
import YAMLSyntax

/// Reads the comments `# herald: allow RULE, reason`.
///
/// A comment on its own line applies to the entry below it; above a document's first key, it
/// applies to the whole document. A comment at the end of a line applies to the entry that begins
/// on that line.
struct AllowanceReader {
    private let tree: SyntaxTree
    private let lines: LineTable
    private(set) var allowances: [Allowance] = []
    private(set) var log = DiagnosticLog()

    init(_ tree: SyntaxTree, in bytes: [UInt8]) {
        self.tree = tree
        let comments = tree.comments.compactMap(Directive.init)
        lines = LineTable(comments.isEmpty ? [] : bytes)
        guard !comments.isEmpty else { return }
        let places = EntryPlaces(tree)
        for comment in comments { read(comment, places: places) }
    }

    private mutating func read(_ directive: Directive, places: EntryPlaces) {
        guard let allow = directive.allow else {
            log.report(.brokenAllow(at: directive.comment.span))
            return
        }
        guard let rule = RuleID(rawValue: allow.name) else {
            log.report(.unknownRule(allow.name, at: allow.span))
            return
        }
        guard rule.isConfigurable else {
            log.report(.fixedRule(rule, at: allow.span))
            return
        }
        let comment = directive.comment
        let line = lines.line(at: comment.span.start)
        let scope =
            comment.standsAlone
            ? places.below(comment.span.end)
            : lines.range(of: line).flatMap { places.first(in: $0) }
        allowances.append(
            Allowance(rule: rule, scope: scope ?? comment.span, comment: comment.span)
        )
    }
}

/// A comment that addresses Herald.
private struct Directive {
    let comment: SyntaxComment
    /// The text after `herald:`, with its place.
    private let words: Substring

    init?(_ comment: SyntaxComment) {
        let text = comment.text.drop { $0 == " " || $0 == "\t" }
        guard text.hasPrefix(Self.mark) else { return nil }
        self.comment = comment
        words = comment.text[text.startIndex...].dropFirst(Self.mark.count)
    }

    private static let mark = "herald:"

    /// The named rule; nil if the comment is not `allow RULE, reason`.
    var allow: (name: String, span: SourceSpan)? {
        let verb = words.drop { $0 == " " }
        guard verb.hasPrefix("allow ") else { return nil }
        let rest = verb.dropFirst("allow ".count).drop { $0 == " " }
        guard let comma = rest.firstIndex(of: ",") else { return nil }
        let name = rest[..<comma]
        let reason = rest[rest.index(after: comma)...]
        guard !name.isEmpty, !name.contains(" "), reason.contains(where: { $0 != " " }) else {
            return nil
        }
        let start =
            comment.span.start + 1 + comment.text[..<name.startIndex].utf8.count
        return (
            String(name),
            SourceSpan(
                source: comment.span.source,
                start: start,
                end: start + name.utf8.count
            )
        )
    }
}

/// The beginnings and extents of entries.
private struct EntryPlaces {
    /// In ascending order of their start.
    private let places: [SourceSpan]
    /// The spans of whole documents, by the start of their first key.
    private var documents: [Int: SourceSpan] = [:]

    init(_ tree: SyntaxTree) {
        var places: [SourceSpan] = []
        for document in tree.documents {
            Self.collect(document, into: &places)
            guard let first = document.entries?.first else { continue }
            documents[first.key.span.start] = Self.joined(first.key.span, with: document.span)
        }
        self.places = places.sorted { ($0.start, $1.end) < ($1.start, $0.end) }
    }

    private static func collect(_ node: SyntaxNode, into places: inout [SourceSpan]) {
        for element in node.elements ?? [] {
            places.append(element.span)
            collect(element, into: &places)
        }
        for entry in node.entries ?? [] {
            places.append(joined(entry.key.span, with: entry.value.span))
            collect(entry.value, into: &places)
        }
    }

    /// A value that an alias inserts is elsewhere and adds nothing.
    private static func joined(_ key: SourceSpan, with value: SourceSpan) -> SourceSpan {
        SourceSpan(source: key.source, start: key.start, end: max(key.end, value.end))
    }

    /// Returns the widest of the entries that begin first at or after an offset.
    func first(after offset: Int) -> SourceSpan? {
        let index = places.partitionIndex { $0.start >= offset }
        return index < places.count ? places[index] : nil
    }

    /// Returns the entry or document below a comment that ends at an offset.
    func below(_ offset: Int) -> SourceSpan? {
        first(after: offset).map { documents[$0.start] ?? $0 }
    }

    func first(in range: Range<Int>) -> SourceSpan? {
        first(after: range.lowerBound).flatMap { $0.start < range.upperBound ? $0 : nil }
    }
}

extension Diagnostic {
    fileprivate static func brokenAllow(at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .allowSyntax,
            message: "this comment has no effect",
            span: span,
            label: "should be `# herald: allow RULE, reason`",
            help: ["name the rule that a finding shows in brackets, then a comma and a reason"]
        )
    }

    static func fixedRule(_ rule: RuleID, at span: SourceSpan) -> Diagnostic {
        Diagnostic(
            rule: .fixedRule,
            message: "`\(rule.rawValue)` cannot be silenced or downgraded",
            span: span,
            label: "this rule always reports an error",
            help: ["fix the finding instead"]
        )
    }
}
