extension Condition.Expression {
    /// The expression with parentheses only if a reader could group it otherwise.
    ///
    /// These are around `||` inside `&&`, around `&&` inside `||`, and after `!`.
    package var text: String {
        switch self {
        case .subscribed(let topic): "'\(topic)' in topics"
        case .not(let operand): "!(\(operand.text))"
        case .all(let left, let right):
            "\(left.inside(.and)) && \(right.inside(.and))"
        case .any(let left, let right):
            "\(left.inside(.or)) || \(right.inside(.or))"
        }
    }

    private func inside(_ outer: ConditionSyntax.Operator) -> String {
        switch (self, outer) {
        case (.any, .and), (.all, .or): "(\(text))"
        default: text
        }
    }

    /// The number of mentions of each topic.
    package var mentionCounts: [Topic: Int] {
        switch self {
        case .subscribed(let topic): [topic: 1]
        case .not(let operand): operand.mentionCounts
        case .all(let left, let right), .any(let left, let right):
            left.mentionCounts.merging(right.mentionCounts, uniquingKeysWith: +)
        }
    }

    package var mentionCount: Int {
        switch self {
        case .subscribed: 1
        case .not(let operand): operand.mentionCount
        case .all(let left, let right), .any(let left, let right):
            left.mentionCount + right.mentionCount
        }
    }
}
