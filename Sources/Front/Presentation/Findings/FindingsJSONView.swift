package import Diagnostics
import JSON

/// Renders findings as JSON.
///
/// See `Documentation/Reference/Formats/findings.md` for the format.
///
/// Text is kept unchanged. JSON escapes terminal control characters.
package struct FindingsJSONView: Sendable {
    /// Additions raise the minor version, other changes the major version.
    package static let formatVersion = "1.0"

    private let catalog: SourceCatalog

    package init(catalog: SourceCatalog) {
        self.catalog = catalog
    }

    /// Renders findings in the given order.
    package func render(_ findings: [Diagnostic]) -> String {
        let counts = Severity.allCases.sorted(by: >).map { severity in
            JSONObject.Member(
                key: severity.rawValue,
                value: .integer(Int64(findings.count { $0.severity == severity }))
            )
        }
        let object: JSONValue = .object([
            "version": .string(Self.formatVersion),
            "findings": .array(findings.map(finding)),
            "counts": .object(JSONObject(counts)),
        ])
        return object.prettyText + "\n"
    }

    private func finding(_ finding: Diagnostic) -> JSONValue {
        let object: JSONObject = [
            "rule": .string(finding.rule.rawValue),
            "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
        ]
        let rest: JSONObject = [
            "label": finding.label.map { .string($0) } ?? .null,
            "help": .array(finding.help.map { .string($0) }),
            "related": .array(finding.related.map(related)),
            "fix": finding.fix.map(fix) ?? .null,
        ]
        return .object(JSONObject(object.members + place(finding.span) + rest.members))
    }

    private func related(_ related: RelatedPlace) -> JSONValue {
        .object(
            JSONObject(
                [JSONObject.Member(key: "message", value: .string(related.message))]
                    + place(related.span)
            )
        )
    }

    private func fix(_ fix: Fix) -> JSONValue {
        let object: JSONObject = [
            "replacement": .string(fix.replacement),
            "applicability": .string(fix.applicability.rawValue),
        ]
        return .object(JSONObject(place(fix.span) + object.members))
    }

    /// Lines and columns start at 1.
    ///
    /// Columns count Unicode scalars; offset and length count bytes.
    private func place(_ span: SourceSpan?) -> [JSONObject.Member] {
        let keys = ["path", "line", "column", "endLine", "endColumn", "offset", "length"]
        return zip(keys, span.map(values) ?? keys.map { _ in .null }).map { key, value in
            JSONObject.Member(key: key, value: value)
        }
    }

    private func values(of span: SourceSpan) -> [JSONValue] {
        let file = catalog[span.source]
        let start = file.position(at: span.start)
        let end = file.position(at: span.end)
        let numbers = [
            start.line, start.column, end.line, end.column, span.start, span.end - span.start,
        ]
        return [.string(file.path)] + numbers.map { .integer(Int64($0)) }
    }
}
