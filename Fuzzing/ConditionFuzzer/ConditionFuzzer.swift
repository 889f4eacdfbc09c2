import CampaignLoading
import CampaignModel
import CampaignRules
import Diagnostics
import FuzzChecks
import YAMLSyntax

/// Reads any text as a condition, evaluates it, checks it with its rules, and prints it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    var catalog = SourceCatalog()
    let source = catalog.add(path: "condition", bytes: Array(text.utf8))
    var log = DiagnosticLog()
    let declaration = ValueReader.condition.read(scalar(text, in: source), &log)
    hold((declaration == nil) == log.hasErrors, "neither read nor refused: \(text)")
    if let declaration {
        check(declaration.condition)
        for finding in declaration.findings {
            log.report(finding)
            if let fix = finding.fix { check(fix, of: text) }
        }
    }
    _ = FindingChecks(catalog).text(of: log.sorted(in: catalog))
    return 0
}

/// Returns the text in double quotes, as if it were the whole source.
private func scalar(_ text: String, in source: SourceID) -> SyntaxNode {
    SyntaxNode(
        span: SourceSpan(source: source, start: 0, end: text.utf8.count),
        content: .scalar(SyntaxScalar(text: text, style: .doubleQuoted, verbatimStart: 0))
    )
}

/// Checks that the printed forms of a condition have its meaning.
private func check(_ condition: Condition) {
    let rows = condition.truth.rows
    hold(rows.count == 1 << condition.topics.count, "rows are missing: \(condition.text)")
    for row in rows {
        let isReached = condition.isTrue(for: Set(row.subscribed))
        hold(isReached == row.isReached, "the table is wrong: \(condition.text)")
    }
    expect(condition.onWire, toMean: condition)
    if let canonical = condition.canonical { expect(canonical.text, toMean: condition) }
    for chain in condition.ambiguousChains {
        let text = chain.text(.leftToRight, in: condition.text)
        hold(isReadable(text), "a grouping cannot be read: \(text)")
    }
}

/// If its parentheses are nested too deeply for Herald, the form is shown or sent but is not
/// offered as a fix.
private func isReadable(_ text: String) -> Bool {
    do {
        _ = try Condition(parsing: text)
        return true
    } catch {
        return error.problem == .tooDeep
    }
}

private func expect(_ text: String, toMean condition: Condition) {
    guard let again = parsed(text) else {
        hold(isReadable(text), "cannot be read again: \(text)")
        return
    }
    for row in condition.truth.rows {
        let isReached = again.isTrue(for: Set(row.subscribed))
        hold(isReached == row.isReached, "\(condition.text) became \(text)")
    }
    hold(again.onWire == text, "printed differently the second time: \(text)")
}

/// Checks that a safe fix leaves a condition.
private func check(_ fix: Fix, of text: String) {
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(fix.span.start..<fix.span.end, with: Array(fix.replacement.utf8))
    let mended = String(decoding: bytes, as: UTF8.self)
    hold(parsed(mended) != nil, "the fix cannot be parsed: \(mended)")
}

private func parsed(_ text: String) -> Condition? { try? Condition(parsing: text) }
