/// Collects findings; findings with the same rule, place and message are stored once.
package struct DiagnosticLog: Sendable {
    package private(set) var diagnostics: [Diagnostic] = []
    /// The positions in `diagnostics`.
    private var positions: [Identity: Int] = [:]
    package private(set) var errorCount = 0

    package var hasErrors: Bool { errorCount > 0 }
    package var isEmpty: Bool { diagnostics.isEmpty }
    package var count: Int { diagnostics.count }

    package init() {}

    package mutating func report(_ diagnostic: Diagnostic) {
        let identity = Identity(diagnostic)
        guard positions[identity] == nil else { return }
        positions[identity] = diagnostics.count
        diagnostics.append(diagnostic)
        if diagnostic.severity == .error { errorCount += 1 }
    }

    /// Reports a finding with another related place; a stored finding gets that place, too.
    package mutating func report(_ diagnostic: Diagnostic, adding place: RelatedPlace) {
        guard let position = positions[Identity(diagnostic)] else {
            return report(diagnostic.adding(place))
        }
        diagnostics[position] = diagnostics[position].adding(place)
    }

    /// Whether a finding with the same rule, place and message is stored.
    package func contains(_ diagnostic: Diagnostic) -> Bool {
        positions[Identity(diagnostic)] != nil
    }

    package mutating func absorb(_ other: DiagnosticLog) {
        for diagnostic in other.diagnostics { report(diagnostic) }
    }

    package var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }

    /// Changes every finding; nil removes it.
    package func map(_ change: (Diagnostic) -> Diagnostic?) -> DiagnosticLog {
        diagnostics.compactMap(change).reduce(into: DiagnosticLog()) { $0.report($1) }
    }

    /// Sorts by path, offset and rule, then by order of reporting; findings without a span come
    /// first.
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
        path = diagnostic.span.map { catalog.path(of: $0.source) } ?? ""
        offset = diagnostic.span?.start ?? -1
        rule = diagnostic.rule
        self.order = order
    }

    static func < (left: SortKey, right: SortKey) -> Bool {
        (left.path, left.offset, left.rule, left.order)
            < (right.path, right.offset, right.rule, right.order)
    }
}
