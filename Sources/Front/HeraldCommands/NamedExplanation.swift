import CampaignRules
import Diagnostics
import JSON
import Presentation

/// A rule or an FCM error code that `herald explain` finds by name.
enum NamedExplanation {
    case rule(RulePage)
    case code(ErrorCodeText)

    /// Finds explanations by name, ignoring case.
    ///
    /// A code can have two explanations.
    static func named(_ name: String) -> [NamedExplanation] {
        if let rule = RuleID(rawValue: name.lowercased()) { return [.rule(rule.page)] }
        return ErrorCodeText.named(name).map(Self.code)
    }

    /// Nil if any of the words is not a known name.
    static func all(named names: [String]) -> [NamedExplanation]? {
        let found = names.map(named)
        return found.contains(where: \.isEmpty) ? nil : found.flatMap(\.self)
    }

    static var names: [String] {
        RuleID.allCases.map(\.rawValue) + ErrorCodeText.all.map(\.code)
    }

    func text(_ style: TextStyle) -> String {
        switch self {
        case .rule(let page): RulePageText(page: page, style: style).text
        case .code(let code): code.text(style)
        }
    }

    var json: JSONValue {
        switch self {
        case .rule(let page): page.json
        case .code(let code): code.json
        }
    }
}

extension [NamedExplanation] {
    func render(as format: Explain.Format, _ style: TextStyle) -> String {
        switch format {
        case .text: map { $0.text(style) }.joined(separator: "\n")
        case .json: JSONValue.array(map(\.json)).prettyText + "\n"
        }
    }
}

extension ErrorCodeText {
    fileprivate func text(_ style: TextStyle) -> String {
        let retried = isRetried ? "retried by Herald" : "not retried by Herald"
        let lines = [meaning, advice].flatMap { $0.wrapped(to: 76) }
        return "\(style.paint(code, .strong))  \(place), \(retried)\n"
            + lines.map { "  \($0)\n" }.joined()
    }

    fileprivate var json: JSONValue {
        .object([
            "code": .string(code),
            "place": .string(place),
            "meaning": .string(meaning),
            "retried": .bool(isRetried),
            "advice": .string(advice),
        ])
    }
}

extension String {
    /// Wraps to at most `width` characters per line, unless a word is longer.
    ///
    /// Keeps existing line breaks.
    func wrapped(to width: Int) -> [String] {
        split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            var lines = [""]
            for word in line.split(separator: " ") {
                let last = lines[lines.count - 1]
                if last.isEmpty {
                    lines[lines.count - 1] = String(word)
                } else if last.count + 1 + word.count <= width {
                    lines[lines.count - 1] = "\(last) \(word)"
                } else {
                    lines.append(String(word))
                }
            }
            return lines
        }
    }
}
