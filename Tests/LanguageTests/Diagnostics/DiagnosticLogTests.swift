import Diagnostics
import Testing

struct DiagnosticLogTests {
    private var catalog = SourceCatalog()
    private let late: SourceID
    private let early: SourceID

    init() {
        late = catalog.add(path: "z.yaml", bytes: Array("abcdef".utf8))
        early = catalog.add(path: "a.yaml", bytes: Array("abcdef".utf8))
    }

    private func diagnostic(
        _ rule: RuleID,
        _ message: String,
        _ source: SourceID? = nil,
        at start: Int = 0,
        severity: Severity = .error
    ) -> Diagnostic {
        let span = source.map { SourceSpan(source: $0, start: start, end: start + 1) }
        return Diagnostic(rule: rule, severity: severity, message: message, span: span)
    }

    @Test func `sorts by path, offset and rule, and diagnostics without a span come first`() {
        var log = DiagnosticLog()
        log.report(diagnostic(.wrongKind, "5", late, at: 1))
        log.report(diagnostic(.unknownKey, "3", early, at: 3))
        log.report(diagnostic(.missingKey, "2", early, at: 3))
        log.report(diagnostic(.unknownKey, "1", early, at: 2))
        log.report(diagnostic(.unknownKey, "4", early, at: 3))
        log.report(diagnostic(.unreadableFile, "0"))
        #expect(log.sorted(in: catalog).map(\.message) == ["0", "1", "2", "3", "4", "5"])
    }

    @Test func `stores diagnostics with the same rule, place and message once`() {
        var log = DiagnosticLog()
        log.report(diagnostic(.unknownKey, "same", early))
        log.report(diagnostic(.unknownKey, "same", early))
        log.report(diagnostic(.unknownKey, "same", early, at: 1))
        log.report(diagnostic(.wrongKind, "same", early))
        log.report(diagnostic(.unknownKey, "other", early))
        #expect(log.count == 4)
    }

    @Test func `a diagnostic that is reported again with a place gets that place`() {
        let places = ["a", "b", "c"].map {
            RelatedPlace(span: SourceSpan(source: late, start: 0, end: 1), message: $0)
        }
        let same = diagnostic(.unknownKey, "same", early)
        let other = diagnostic(.unknownKey, "other", early)
        var log = DiagnosticLog()
        #expect(!log.contains(same))
        log.report(same, adding: places[0])
        log.report(other, adding: places[1])
        log.report(same, adding: places[2])
        #expect(log.diagnostics.map(\.message) == ["same", "other"])
        #expect(log.diagnostics.map { $0.related.map(\.message) } == [["a", "c"], ["b"]])
        #expect(log.contains(same))
        #expect(log.errorCount == 2)
    }

    @Test func `counts errors`() {
        var log = DiagnosticLog()
        #expect(log.isEmpty)
        log.report(diagnostic(.unknownKey, "careful", severity: .warning))
        #expect(!log.hasErrors)
        #expect(!log.isEmpty)
        var other = DiagnosticLog()
        other.report(diagnostic(.unknownKey, "careful"))
        other.report(diagnostic(.unknownKey, "wrong"))
        log.absorb(other)
        #expect(log.hasErrors)
        #expect(log.count == 2)
    }

    @Test func `errors are the most severe`() {
        #expect(Severity.allCases.max() == .error)
        #expect(Severity.note < .warning)
    }
}
