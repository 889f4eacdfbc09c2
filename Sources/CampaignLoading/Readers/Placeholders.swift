import Diagnostics
import YAMLSyntax

extension SyntaxNode {
    /// Refuses text in which a later version replaces something: sent as it stands, it would reach
    /// people with the placeholder in it.
    func reportPlaceholders(_ log: inout DiagnosticLog) {
        let mark = "{{"
        switch content {
        case .scalar(let scalar):
            guard scalar.text.utf8.contains(UInt8(ascii: "{")),
                let place = scalar.text.utf8Range(of: mark)
            else { return }
            log.report(.placeholder(mark, at: span(ofText: place)))
        case .sequence(let nodes):
            for node in nodes { node.reportPlaceholders(&log) }
        case .mapping(let entries):
            for place in entries.indices { entries[place].value.reportPlaceholders(&log) }
        }
    }
}

extension String {
    fileprivate func utf8Range(of mark: String) -> Range<Int>? {
        let bytes = Array(utf8)
        let mark = Array(mark.utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: mark) }
        return start.map { $0..<$0 + mark.count }
    }
}

extension Diagnostic {
    fileprivate static func placeholder(
        _ mark: String,
        at span: SourceSpan
    ) -> Diagnostic {
        Diagnostic(
            rule: .notBuiltYet,
            message: "`\(mark)` is not built yet",
            span: span,
            label: "would be a column of the list",
            help: ["write the text itself: Herald refuses what it cannot do rather than send it"]
        )
    }
}
