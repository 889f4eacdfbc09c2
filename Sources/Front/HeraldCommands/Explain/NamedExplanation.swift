import CampaignRules
import Diagnostics
import JSON
import Presentation

/// A rule or an FCM error code that `herald explain` finds by name.
enum NamedExplanation {
    case rule(RulePage)
    case code(ErrorCodeWording)

    /// Finds explanations by name, ignoring case.
    ///
    /// A code can have two explanations.
    static func named(_ name: String) -> [NamedExplanation] {
        if let rule = RuleID(rawValue: name.lowercased()) { return [.rule(rule.page)] }
        return ErrorCodeWording.named(name).map(Self.code)
    }

    /// Nil if any of the words is not a known name.
    static func all(named names: [String]) -> [NamedExplanation]? {
        let found = names.map(named)
        return found.contains(where: \.isEmpty) ? nil : found.flatMap(\.self)
    }

    static var names: [String] {
        RuleID.allCases.map(\.rawValue) + ErrorCodeWording.all.map(\.code)
    }

    func text(_ style: TextStyle) -> String {
        switch self {
        case .rule(let page): RuleTextView(style: style).render(page)
        case .code(let code): ErrorCodeTextView(style: style).render(code)
        }
    }

    var json: JSONValue {
        switch self {
        case .rule(let page): RuleJSONView().value(page)
        case .code(let code): ErrorCodeJSONView().value(code)
        }
    }
}

extension [NamedExplanation] {
    func render(as format: ExplainFormat, in style: TextStyle) -> String {
        switch format {
        case .text: map { $0.text(style) }.joined(separator: "\n")
        case .json: JSONValue.array(map(\.json)).prettyText + "\n"
        }
    }
}
