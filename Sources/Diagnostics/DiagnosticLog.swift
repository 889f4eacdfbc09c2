/// What was found so far; the same rule, place and message are kept once.
package struct DiagnosticLog: Sendable {
    package private(set) var diagnostics: [Diagnostic] = []
    private var known: Set<Identity> = []
    package private(set) var hasErrors = false

    package var isEmpty: Bool { diagnostics.isEmpty }
    package var count: Int { diagnostics.count }

    package init() {}

    package mutating func report(_ diagnostic: Diagnostic) {
        guard known.insert(Identity(diagnostic)).inserted else { return }
        diagnostics.append(diagnostic)
        hasErrors = hasErrors || diagnostic.severity == .error
    }

    package mutating func absorb(_ other: DiagnosticLog) {
        for diagnostic in other.diagnostics { report(diagnostic) }
    }

    /// By path, offset and rule, then in the order of reporting; those without a span first.
    package func sorted(in catalog: SourceCatalog) -> [Diagnostic] {
        diagnostics.enumerated()
            .map { order, diagnostic in
                SortKey(diagnostic, order: order, in: catalog)
            }
            .sorted()
            .map { diagnostics[$0.order] }
    }
}

private struct Identity: Hashable {
    let rule: RuleID
    let span: SourceSpan?
    let message: String

    init(_ diagnostic: Diagnostic) {
        rule = diagnostic.rule
        span = diagnostic.span
        message = diagnostic.message
    }
}

private struct SortKey: Comparable {
    let path: String
    let offset: Int
    let rule: RuleID
    let order: Int

    init(_ diagnostic: Diagnostic, order: Int, in catalog: SourceCatalog) {
        path = diagnostic.span.map { catalog[$0.source].path } ?? ""
        offset = diagnostic.span?.start ?? -1
        rule = diagnostic.rule
        self.order = order
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        (left.path, left.offset, left.rule, left.order)
            < (right.path, right.offset, right.rule, right.order)
    }
}
