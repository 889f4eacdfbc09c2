import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
import FuzzChecks
import RegistrationLists
import Time

/// Loads any bytes as a project, checks it with every rule, and prints it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    unsafe ProjectInput([UInt8](UnsafeBufferPointer(start: start, count: count))).check()
    return 0
}

/// A project's files in one input.
///
/// A line `%%`, which no YAML file contains, ends a file; the first file is `herald.yaml`. Without
/// such a line, the input is a campaign file.
struct ProjectInput {
    private var files: [(path: String, result: Result<[UInt8], FileProblem>)]

    init(_ bytes: [UInt8]) {
        var parts: [[UInt8]] = []
        var start = 0
        while let mark = bytes[start...].firstRange(of: Self.separator) {
            parts.append(Array(bytes[start..<mark.lowerBound]) + Array("\n".utf8))
            start = mark.upperBound
        }
        parts.append(Array(bytes[start...]))
        if parts.count == 1 { parts.insert(Self.project, at: 0) }
        files = parts.enumerated().map { number, part in
            (number == 0 ? ProjectLoader.projectFile : "campaigns/\(number).yaml", .success(part))
        }
    }

    private static let separator = "\n%%\n".utf8

    private static let project = Array(
        """
        version: 1
        project: fuzz
        topics: { tides: {}, azores: {}, madeira: {} }

        """.utf8
    )

    func check() {
        let first = report()
        hold(first.text == report().text, "a second time other findings")
        _ = report(variables: Self.variables)
        for finding in first.findings.filter({ $0.fix != nil }).prefix(3) {
            check(finding, among: first.findings)
        }
    }

    /// Checks that a safe fix removes its finding and leaves valid YAML.
    private func check(_ finding: Diagnostic, among findings: [Diagnostic]) {
        guard let fix = finding.fix else { return }
        let again = mended(by: fix).report().findings
        let isStillThere = again.contains {
            $0.rule == finding.rule && $0.message == finding.message && $0.span == finding.span
        }
        hold(!isStillThere, "the fix did not remove the finding: \(finding)")
        let wasYAML = !findings.contains { Self.isAboutYAML($0, fix.span.source) }
        let isYAML = !again.contains { Self.isAboutYAML($0, fix.span.source) }
        hold(isYAML || !wasYAML, "the fix is not valid YAML: \(finding)")
    }

    private static func isAboutYAML(_ finding: Diagnostic, _ source: SourceID) -> Bool {
        finding.rule == .yamlSyntax && finding.span?.source == source
    }

    private func mended(by fix: Fix) -> ProjectInput {
        var input = self
        let number = Int(fix.span.source.index)
        guard case .success(var bytes) = files[number].result else { return self }
        bytes.replaceSubrange(fix.span.start..<fix.span.end, with: Array(fix.replacement.utf8))
        input.files[number].result = .success(bytes)
        return input
    }

    private func report(
        variables: EnvironmentVariables? = nil
    ) -> (findings: [Diagnostic], text: String) {
        let loaded = ProjectLoader(zones: Self.zones, variables: variables).load(files)
        let findings = loaded.findings(Self.surveys, at: Self.now).sorted(in: loaded.catalog)
        return (findings, FindingChecks(loaded.catalog).text(of: findings))
    }

    private static let zones = TimeZoneDatabase.system(environment: [:])
    /// The first second of 2037, UTC.
    private static let now = Instant(secondsSince1970: 2_114_380_800)
    private static let surveys = ListSurveys(
        of: [],
        directory: "/nonexistent",
        fingerprinter: Fingerprinter(key: FingerprintKey(bytes: [UInt8](repeating: 7, count: 32)))
    )
    private static let variables = EnvironmentID("production").map {
        EnvironmentVariables(
            for: $0,
            values: ["TOKEN": "\u{1B}[31m", "URL": "https://example.com/a"]
        )
    }
}
