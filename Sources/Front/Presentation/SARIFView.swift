package import Diagnostics
import Text
import JSON

/// Findings as a log of SARIF 2.1.0 (OASIS Standard, Static Analysis Results Interchange Format).
package struct SARIFView: Sendable {
    /// Who writes the log, and how its run ended.
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
    ///   - catalog: the files that findings lie in.
    ///   - pathPrefix: the project's folder, seen from where paths of the log begin, with a slash
    ///     behind it; empty where that is the project's folder itself.
    ///   - wholeProject: the file that is named where a finding has no place; readers refuse a
    ///     result without any.
    ///   - descriptions: what each rule finds, in a sentence.
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

    package func render(_ findings: [Diagnostic], _ run: Run) -> String {
        let rules = Set(findings.map(\.rule)).sorted()
        let indices = Dictionary(
            uniqueKeysWithValues: rules.enumerated().map { ($0.element, $0.offset) }
        )
        let log: JSONValue = .object([
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [
                .object([
                    "tool": .object(["driver": driver(run, rules)]),
                    "invocations": [
                        .object([
                            "executionSuccessful": true,
                            "exitCode": .integer(Int64(run.exitCode)),
                        ])
                    ],
                    "columnKind": "utf16CodeUnits",
                    "newlineSequences": ["\r\n", "\n", "\r"],
                    "results": .array(findings.map { result($0, indices[$0.rule] ?? 0) }),
                ])
            ],
        ])
        return log.prettyText + "\n"
    }

    private func driver(_ run: Run, _ rules: [RuleID]) -> JSONValue {
        .object([
            "name": "Herald",
            "version": .string(run.version),
            "rules": .array(rules.map(rule)),
        ])
    }

    private func rule(_ rule: RuleID) -> JSONValue {
        .object([
            "id": .string(rule.rawValue),
            "shortDescription": .text(descriptions[rule] ?? rule.words),
            "defaultConfiguration": .object(["level": .string(rule.severity.rawValue)]),
        ])
    }

    private func result(_ finding: Diagnostic, _ index: Int) -> JSONValue {
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

/// Places of files as SARIF writes them.
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

    /// What the fix says is what the help says of it.
    func fix(_ fix: Fix, described help: String?) -> JSONValue {
        .object([
            "description": .text(help ?? "change it like this"),
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
    /// A message that shows as it is: nothing in it steers a terminal or becomes a link.
    ///
    /// Braces stay single: readers show a text that comes without arguments as it stands.
    fileprivate static func text(_ lines: String...) -> JSONValue { text(lines) }

    fileprivate static func text(_ lines: [String]) -> JSONValue {
        let text = lines.map { TerminalText.printable($0).separatingBrackets }
        return .object(["text": .string(text.joined(separator: "\n"))])
    }
}

extension String {
    /// `](` would join what stands before it and behind it into a link.
    fileprivate var separatingBrackets: String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == "(", result.last == "]" { result.append(" ") }
            result.append(scalar)
        }
        return String(result)
    }

    /// A path as a relative reference (RFC 3986, section 4.2); a colon could end a scheme.
    fileprivate var asRelativeURI: String {
        utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                String(UnicodeScalar(byte))
            default:
                "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

extension RuleID {
    /// The name as words: `unknown-key` is "Unknown key".
    fileprivate var words: String {
        let words = rawValue.split(separator: "-").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
