import Diagnostics
import TestSupport
import Testing
import YAMLSyntax

struct WrongKindTests {
    static let cases = KeyOccurrence.all.filter { $0.table != nil || AuthorNames.contain($0) }

    @Test(arguments: cases.generatedCases)
    func `a value of the wrong kind is one finding on the whole value`(
        occurrence: KeyOccurrence
    ) {
        for kind in WrongKind.all(for: occurrence) {
            let result = Mutation.replacing(
                occurrence.valueRange,
                of: occurrence,
                with: kind.text
            ).run()
            let start = occurrence.valueRange.lowerBound
            let place = start..<start + kind.text.utf8.count
            #expect(result.findings == result.only(kind.rule, at: place), "\(kind.text)")
        }
    }

    @Test(
        arguments: cases.filter { occurrence in
            !occurrence.isInBraces && WrongKind.all(for: occurrence).contains { $0.text == "~" }
        }.generatedCases
    )
    func `an omitted value is one finding after the colon`(occurrence: KeyOccurrence) {
        let result = Mutation.replacing(
            occurrence.key.upperBound..<occurrence.valueRange.upperBound,
            of: occurrence,
            with: ":"
        ).run()
        let end = occurrence.key.upperBound + 1
        let rule = AuthorNames.takeText(occurrence) ? RuleID.dataValue : .wrongKind
        #expect(result.findings == result.only(rule, at: end..<end))
    }
}

/// A value of the wrong kind for a field, and its rule.
struct WrongKind {
    let text: String
    let rule: RuleID

    static func all(for occurrence: KeyOccurrence) -> [WrongKind] {
        let path = occurrence.path
        if occurrence.table == nil, !isNamedMapping(path), !AuthorNames.takeText(occurrence) {
            return []
        }
        switch "\(occurrence.table?.subject ?? "") \(occurrence.name)" {
        case "`aps` alert", "`aps` sound": return kinds(.wrongKind, "[q]", "~")
        case "`webpush.notification` data": return []
        case "an environment only", "an environment except": return kinds(.wrongKind, "q", "~")
        case "a campaign audience": return kinds(.wrongKind, "[q]", "~")
        case "`audience` registrations", "an audience registrations":
            return kinds(.wrongKind, "~")
        default: break
        }
        if AuthorNames.takeText(occurrence) {
            // `data` of a message has its own rule, and `data` of `match` does not.
            let rule = path.first == "match" ? RuleID.wrongKind : .dataValue
            return kinds(rule, "{ q: 1 }", "[q]", "~")
        }
        return all(for: occurrence.value).filter {
            $0.text != "~" || !isUnderDefault(occurrence)
        }
    }

    private static func all(for value: SyntaxNode) -> [WrongKind] {
        switch value.content {
        case .scalar: kinds(.wrongKind, "{ q: 1 }", "[q]", "~")
        case .sequence: kinds(.wrongKind, "{ q: 1 }", "q", "~")
        case .mapping: kinds(.wrongKind, "[q]", "q", "~")
        }
    }

    /// A null there removes the default, which is not an error.
    private static func isUnderDefault(_ occurrence: KeyOccurrence) -> Bool {
        let isInPatch = ["variants", "locales"].contains(occurrence.path.first ?? "")
        let extendsMessage =
            occurrence.document == .campaign
            && occurrence.sample.files[occurrence.file].path == "campaigns/shared.yaml"
        return isInPatch && ["notification", "title"].contains(occurrence.name)
            || extendsMessage && ["message", "data"].contains(occurrence.name)
            || occurrence.sample == .defaults && occurrence.document == .campaign
                && ["message", "message notification", "message notification body", "message data"]
                    .contains(occurrence.path.joined(separator: " "))
    }

    private static func isNamedMapping(_ path: [String]) -> Bool {
        let names = [
            "topics", "environments", "rules", "labels", "variants", "locales", "messages",
            "columns", "sources",
        ]
        return path.dropLast().last.map(names.contains) ?? false
    }

    private static func kinds(_ rule: RuleID, _ texts: String...) -> [WrongKind] {
        texts.map { WrongKind(text: $0, rule: rule) }
    }
}
