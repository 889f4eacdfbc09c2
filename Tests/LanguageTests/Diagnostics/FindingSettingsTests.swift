import Diagnostics
import Testing

struct FindingSettingsTests {
    private static func span(_ file: Int, _ range: Range<Int>) -> SourceSpan {
        SourceSpan(
            source: SourceID(index: UInt32(file)),
            start: range.lowerBound,
            end: range.upperBound
        )
    }

    private static func finding(_ rule: RuleID, _ file: Int) -> Diagnostic {
        Diagnostic(rule: rule, message: "x", span: span(file, 20..<30), label: "x")
    }

    private static func allowance(_ rule: RuleID, _ file: Int) -> Allowance {
        Allowance(rule: rule, scope: span(file, 10..<40), comment: span(file, 0..<9))
    }

    @Test func `an allowance applies to its rule in its file`() {
        var log = DiagnosticLog()
        for file in [0, 1] {
            log.report(Self.finding(.topicCase, file))
            log.report(Self.finding(.conditionNegation, file))
        }
        let settings = FindingSettings(allowances: [
            Self.allowance(.topicCase, 0), Self.allowance(.conditionNegation, 1),
        ])
        let left = settings.apply(to: log).diagnostics
        #expect(left.map(\.rule) == [.conditionNegation, .topicCase])
        #expect(left.map { $0.span?.source.index } == [0, 1])
    }

    /// Checking only the finding's own file takes seconds; checking all would take many minutes.
    @Test(.timeLimit(.minutes(5))) func `many files with an allowance each take linear time`() {
        var log = DiagnosticLog()
        for file in 0..<100_000 { log.report(Self.finding(.topicCase, file)) }
        let settings = FindingSettings(
            allowances: (0..<100_000).map { Self.allowance(.topicCase, $0) }
        )
        #expect(settings.apply(to: log).isEmpty)
    }

    @Test func `a setting or a comment lifts a rule`() {
        let comment = Allowance(
            rule: .payloadOver2048,
            scope: Self.span(1, 0..<9),
            comment: Self.span(1, 0..<3)
        )
        func lifts(_ setting: RuleSetting?, _ allowances: [Allowance] = []) -> Bool {
            let rules = setting.map { [RuleID.payloadOver2048: $0] } ?? [:]
            return FindingSettings(rules: rules, allowances: allowances).lifts(.payloadOver2048)
        }
        #expect(!lifts(nil) && !lifts(.error))
        #expect(lifts(.off) && lifts(.warn))
        #expect(lifts(nil, [comment]) && lifts(.error, [comment]))
        #expect(!FindingSettings(allowances: [comment]).lifts(.payloadOver4000))
    }
}
