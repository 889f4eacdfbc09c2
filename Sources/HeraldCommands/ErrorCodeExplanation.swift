import CampaignReporting
import FCMWire

/// `herald explain UNREGISTERED`: what an error code of FCM's means.
struct ErrorCodeExplanation {
    let texts: [ErrorCodeText]

    /// Nil where one of the words is no such code.
    init?(_ names: [String]) {
        let found = names.map(ErrorCodeText.named)
        guard !found.contains([]) else { return nil }
        texts = found.flatMap(\.self)
    }

    func render(as format: Explain.Format, _ style: TextStyle) -> String {
        switch format {
        case .text: texts.map { text($0, style) }.joined(separator: "\n")
        case .json: JSONValue.array(texts.map(json)).prettyText + "\n"
        }
    }

    private func text(_ code: ErrorCodeText, _ style: TextStyle) -> String {
        let retried = code.isRetried ? "repeated by Herald" : "not repeated by Herald"
        let lines = [code.meaning, code.advice].flatMap { Self.wrap($0) }
        return "\(style.paint(code.code, .strong))  \(code.place), \(retried)\n"
            + lines.map { "  \($0)\n" }.joined()
    }

    private func json(_ code: ErrorCodeText) -> JSONValue {
        .object([
            "code": .string(code.code),
            "place": .string(code.place),
            "meaning": .string(code.meaning),
            "retried": .bool(code.isRetried),
            "advice": .string(code.advice),
        ])
    }

    /// Lines of at most 76 characters.
    private static func wrap(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= 76 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
