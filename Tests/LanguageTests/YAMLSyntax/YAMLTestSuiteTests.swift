import Diagnostics
import Testing
import YAMLSyntax

/// Compares Herald's tree with the events that the YAML test suite expects.
///
/// A case is compared if libyaml itself, without Herald's code, reports these events.
struct YAMLTestSuiteTests {
    @Test(arguments: SuiteCase.all)
    func `the tree is the one that the suite expects`(_ suiteCase: SuiteCase) {
        guard suiteCase.isAgreed else { return }
        let expected = SuiteDocuments(suiteCase.expectedEvents)
        let parsed = ParsedYAML(suiteCase.yaml)
        let refusals = suiteCase.refusals
        #expect(parsed.rules.sorted() == refusals)
        if refusals.contains(.yamlSyntax) {
            #expect(parsed.tree == nil)
        } else if !refusals.contains(.duplicateKey) {
            #expect(parsed.tree?.documents.map(SuiteValue.init) == expected.documents)
        }
    }

    @Test(arguments: SuiteCase.all)
    func `a text that libyaml refuses is an error without a tree`(_ suiteCase: SuiteCase) {
        guard LibYAMLEvents.read(suiteCase.yaml) == nil else { return }
        let parsed = ParsedYAML(suiteCase.yaml)
        #expect(parsed.tree == nil)
        #expect(parsed.rules.contains(.yamlSyntax))
    }

    /// The minimum counts are those of libyaml 0.2.5; a later version may agree in more cases.
    ///
    /// libyaml agrees in 252 cases. Of these, 238 are compared tree by tree, 37 of them with tags,
    /// which are also reported. In the other 14, a key is a collection. No case has two equal keys.
    @Test func `all cases in which libyaml agrees are compared`() {
        let agreed = SuiteCase.all.filter(\.isAgreed)
        let compared = agreed.filter { $0.refusals.allSatisfy { $0 == .yamlTag } }
        #expect(agreed.count >= 252)
        #expect(compared.count >= 238)
        #expect(compared.count { $0.refusals.contains(.yamlTag) } >= 37)
        #expect(compared.count { $0.events.contains { $0.hasPrefix("=ALI") } } >= 12)
        #expect(agreed.count { $0.refusals.contains(.yamlSyntax) } >= 14)
    }

    @Test func `all cases that libyaml refuses fail`() {
        let refused = SuiteCase.all.filter { LibYAMLEvents.read($0.yaml) == nil }
        #expect(refused.count(where: \.fails) >= 78)
    }

    @Test func `the whole suite is read`() {
        #expect(SuiteCase.all.count == 402)
        #expect(SuiteCase.all.count(where: \.fails) == 94)
        // The suite's events contain no merge keys, so no case needs special treatment.
        #expect(SuiteCase.all.allSatisfy { !$0.events.contains("=VAL :<<") })
    }
}

extension SuiteCase {
    fileprivate var expectedEvents: [SuiteEvent] { events.map(SuiteEvent.init(line:)) }

    /// The suite expects the text to be readable, and libyaml agrees.
    fileprivate var isAgreed: Bool { !fails && LibYAMLEvents.read(yaml) == expectedEvents }

    /// The rules that Herald must report, computed from the suite's events.
    fileprivate var refusals: [RuleID] {
        let expected = SuiteDocuments(expectedEvents)
        let mappings = expected.documents.flatMap(\.mappings)
        let keys = mappings.map { $0.map { $0[0] } }
        let collections = keys.joined().count { $0.text == nil }
        let duplicates = keys.map { $0.compactMap(\.text) }.map { $0.count - Set($0).count }
        let refusals: [[RuleID]] = [
            Array(repeating: .yamlTag, count: expected.tags),
            Array(repeating: .duplicateKey, count: duplicates.reduce(0, +)),
            Array(repeating: .yamlSyntax, count: collections),
        ]
        return refusals.joined().sorted()
    }
}

extension SuiteValue {
    fileprivate init(_ node: SyntaxNode) {
        switch node.content {
        case .sequence(let elements): self = .sequence(elements.map(Self.init))
        case .mapping(let entries):
            self = .mapping(entries.map { [Self($0.key), Self($0.value)] })
        case .scalar(let scalar):
            let style =
                switch scalar.style {
                case .plain: ":"
                case .singleQuoted: "'"
                case .doubleQuoted: "\""
                case .literal: "|"
                case .folded: ">"
                }
            self = .scalar(style + SuiteEvent.escaped(scalar.text))
        }
    }
}
