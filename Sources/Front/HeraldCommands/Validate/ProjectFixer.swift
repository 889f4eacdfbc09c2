import CampaignLoading
import Diagnostics
import Presentation
import YAMLSyntax

/// Implements `herald validate --fix`: applies the safe edits of findings.
///
/// Repeats in memory until no safe fix remains, then replaces each changed file once.
struct ProjectFixer {
    private let session: Session
    private let scope: FindingScope
    private let original: ProjectSources
    private var sources: ProjectSources
    /// The number of fixed findings per file.
    private var counts: [String: Int] = [:]
    /// Files that are left unchanged, with the reason.
    private var refusals: [String: String] = [:]

    /// The maximum number of rounds.
    ///
    /// One edit can enable another; a project that still needs fixes after these rounds is assumed
    /// to never converge.
    private static let mostRounds = 10

    init(session: Session, scope: FindingScope) {
        self.session = session
        self.scope = scope
        original = ProjectSources(directory: session.options.directory)
        sources = original
    }

    /// Applies fixes, writes files and reports the result.
    ///
    /// Returns an error if a file had to be left unchanged.
    func run() -> ExitReason? {
        var fixer = self
        return fixer.applyFix()
    }

    private mutating func applyFix() -> ExitReason? {
        var rounds = 0
        while rounds < Self.mostRounds, mendOnce() { rounds += 1 }
        for file in original.files { write(file.path) }
        let written = counts.values.filter { $0 > 0 }
        Output.message(FixWording.fixed(written.reduce(0, +), inFiles: written.count))
        for (path, reason) in refusals.sorted(by: { $0.key < $1.key }) {
            Output.message(FixWording.unchanged(path, because: reason))
        }
        return refusals.isEmpty ? nil : .error
    }

    /// Applies one round of fixes.
    ///
    /// Returns whether anything changed.
    private mutating func mendOnce() -> Bool {
        let checked = session.check(session.load(sources), key: .passing)
        let findings = checked.log.sorted(in: checked.catalog).filter { finding in
            guard let fix = finding.fix, fix.applicability == .safe else { return false }
            let path = checked.catalog.path(of: fix.span.source)
            return scope.includes(finding, in: checked.catalog) && scope.includes(path)
                && refusals[path] == nil
        }
        var hasChanged = false
        for (path, ofFile) in Dictionary(
            grouping: findings,
            by: { finding in
                finding.fix.map { checked.catalog.path(of: $0.span.source) } ?? ""
            }
        ) where applyFix(to: path, for: ofFile) {
            hasChanged = true
        }
        return hasChanged
    }

    private mutating func applyFix(to path: String, for findings: [Diagnostic]) -> Bool {
        guard let bytes = sources[path] else { return false }
        let result = AppliedFixes(findings.compactMap(\.fix), to: bytes)
        guard Self.problems(of: result.bytes) <= Self.problems(of: bytes) else {
            refuse(path, because: FixWording.unreadable)
            return true
        }
        sources[path] = result.bytes
        counts[path, default: 0] += findings.count { $0.fix.map(result.applied.contains) == true }
        return result.bytes != bytes
    }

    /// The number of syntax errors in a file; `Int.max` if it cannot be parsed at all.
    private static func problems(of bytes: [UInt8]) -> Int {
        var log = DiagnosticLog()
        let tree = YAMLParser.parse(bytes, source: SourceID(index: 0), into: &log)
        return tree == nil ? .max : log.errorCount
    }

    private mutating func refuse(_ path: String, because reason: String) {
        refusals[path] = reason
        counts[path] = nil
        if let bytes = original[path] { sources[path] = bytes }
    }

    private mutating func write(_ path: String) {
        guard let old = original[path], let new = sources[path], old != new else {
            counts[path] = nil
            return
        }
        do {
            try ProjectFileReplacement(path, in: session.options.directory).replace(old, with: new)
        } catch {
            refuse(path, because: error.reason)
        }
    }
}
