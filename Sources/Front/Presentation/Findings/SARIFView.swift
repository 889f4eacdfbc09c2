package import Diagnostics
import JSON
import Text

/// Renders findings as a SARIF 2.1.0 log (OASIS Standard, Static Analysis Results Interchange
/// Format).
package struct SARIFView: Sendable {
    /// The tool's version and exit code.
    package struct Run: Sendable {
        package let version: String
        package let exitCode: Int32

        package init(version: String, exitCode: Int32) {
            self.version = version
            self.exitCode = exitCode
        }
    }

    private let places: SARIFPlaces
    private let descriptions: [RuleID: String]

    /// - Parameters:
    ///   - catalog: The source files of the findings.
    ///   - pathPrefix: The project's directory relative to the base of the log's paths, with a
    ///     trailing slash; empty if both are the same.
    ///   - wholeProject: The file to report for a finding without a location, because readers
    ///     reject a result without one.
    ///   - descriptions: One sentence per rule about its findings.
    package init(
        catalog: SourceCatalog,
        pathPrefix: String = "",
        wholeProject: String,
        descriptions: [RuleID: String]
    ) {
        places = SARIFPlaces(
            catalog: catalog,
            pathPrefix: pathPrefix,
            wholeProject: wholeProject
        )
        self.descriptions = descriptions
    }

    package func render(_ findings: [Diagnostic], of run: Run) -> String {
        let rules = Set(findings.map(\.rule)).sorted()
        let indices = Dictionary(
            uniqueKeysWithValues: rules.enumerated().map { ($0.element, $0.offset) }
        )
        let log: JSONValue = .object([
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                .object([
                    "tool": .object(["driver": driver(for: run, rules: rules)]),
                    "invocations": [
                        .object([
                            "executionSuccessful": true,
                            "exitCode": .integer(Int64(run.exitCode)),
                        ])
                    ],
                    "columnKind": "utf16CodeUnits",
                    "newlineSequences": ["\r\n", "\n", "\r"],
                    "results": .array(
                        findings.map { result(for: $0, ruleIndex: indices[$0.rule] ?? 0) }
                    ),
                ])
            ],
        ])
        return log.prettyText + "\n"
    }

    private func driver(for run: Run, rules: [RuleID]) -> JSONValue {
        .object([
            "name": "Herald",
            "version": .string(run.version),
            "rules": .array(rules.map(rule)),
        ])
    }

    private func rule(_ rule: RuleID) -> JSONValue {
        .object([
            "id": .string(rule.rawValue),
            "shortDescription": .text(descriptions[rule] ?? rule.wording),
            "defaultConfiguration": .object(["level": .string(rule.severity.rawValue)]),
        ])
    }

    private func result(for finding: Diagnostic, ruleIndex index: Int) -> JSONValue {
        var object: JSONObject = [
            "ruleId": .string(finding.rule.rawValue),
            "ruleIndex": .integer(Int64(index)),
            "level": .string(finding.severity.rawValue),
            "message": .text([finding.message] + finding.help.map { "help: \($0)" }),
            "locations": [places.location(finding.span, saying: finding.label)],
        ]
        if !finding.related.isEmpty {
            object["relatedLocations"] = .array(
                finding.related.map { places.location($0.span, saying: $0.message) }
            )
        }
        if let fix = finding.fix {
            object["fixes"] = [places.fix(fix, described: finding.help.first)]
        }
        return .object(object)
    }
}

/// Converts source locations to SARIF.
private struct SARIFPlaces {
    let catalog: SourceCatalog
    let pathPrefix: String
    let wholeProject: String

    func location(_ span: SourceSpan?, saying message: String?) -> JSONValue {
        let path = span.map { catalog.path(of: $0.source) } ?? wholeProject
        var object: JSONObject = [
            "physicalLocation": .object([
                "artifactLocation": artifact(path),
                "region": span.map(region) ?? .object(["startLine": 1]),
            ])
        ]
        if let message { object["message"] = .text(message) }
        return .object(object)
    }

    /// Converts a fix.
    ///
    /// Uses the finding's help as its description.
    func fix(_ fix: Fix, described help: String?) -> JSONValue {
        .object([
            "description": .text(help ?? "apply this change"),
            "artifactChanges": [
                .object([
                    "artifactLocation": artifact(catalog.path(of: fix.span.source)),
                    "replacements": [
                        .object([
                            "deletedRegion": region(fix.span),
                            "insertedContent": .object(["text": .string(fix.replacement)]),
                        ])
                    ],
                ])
            ],
        ])
    }

    private func region(_ span: SourceSpan) -> JSONValue {
        let file = catalog[span.source]
        let start = file.position(at: span.start, in: .utf16CodeUnits)
        let end = file.position(at: span.end, in: .utf16CodeUnits)
        return .object([
            "startLine": .integer(Int64(start.line)),
            "startColumn": .integer(Int64(start.column)),
            "endLine": .integer(Int64(end.line)),
            "endColumn": .integer(Int64(end.column)),
            "byteOffset": .integer(Int64(span.start)),
            "byteLength": .integer(Int64(span.end - span.start)),
        ])
    }

    private func artifact(_ path: String) -> JSONValue {
        .object(["uri": .string((pathPrefix + path).asRelativeURI)])
    }
}

extension JSONValue {
    /// A message that appears unchanged: without terminal control characters or links.
    ///
    /// Braces are not doubled, because readers show a text without arguments unchanged.
    fileprivate static func text(_ lines: String...) -> JSONValue { text(lines) }

    fileprivate static func text(_ lines: [String]) -> JSONValue {
        let text = lines.map { TerminalText.printable($0).separatingBrackets }
        return .object(["text": .string(text.joined(separator: "\n"))])
    }
}

extension String {
    /// Separates `](`, which would form a link with the text around it.
    fileprivate var separatingBrackets: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == "(", result.last == "]" { result.append(" ") }
            result.append(scalar)
        }
        return String(result)
    }

    /// A path as a relative reference (RFC 3986, section 4.2).
    ///
    /// Colons are escaped because a colon could end a scheme.
    fileprivate var asRelativeURI: String { percentEncoded(keeping: "/") }
}

extension RuleID {
    /// The name as text: "Unknown key" for `unknown-key`.
    fileprivate var wording: String {
        let wording = rawValue.split(separator: "-").joined(separator: " ")
        return wording.prefix(1).uppercased() + wording.dropFirst()
    }
}
