/// How the operators of a chain without parentheses are grouped.
package enum ConditionReading: CaseIterable, Hashable, Sendable {
    /// FCM's order (Firebase documentation, Topic messaging).
    case leftToRight
    case rightToLeft
    /// The order of most programming languages.
    case andBeforeOr
}

extension ConditionSyntax {
    /// Returns the meaning if every chain is grouped in the same way.
    package func expression(_ reading: ConditionReading) -> Condition.Expression {
        switch form {
        case .mention(let topic): .subscribed(topic)
        case .negation(let operand): .not(operand.expression(reading))
        case .chain(let chain):
            chain.fold(reading, join: Self.join) { $0.expression(reading) }
        }
    }

    private static func join(
        _ symbol: Operator,
        left: Condition.Expression,
        right: Condition.Expression
    ) -> Condition.Expression {
        switch symbol {
        case .and: .all(left, right)
        case .or: .any(left, right)
        }
    }
}

extension ConditionSyntax.Chain {
    /// Returns the chain with parentheses that make a reading explicit.
    ///
    /// `text` is the text of the whole condition.
    package func text(_ reading: ConditionReading, in text: String) -> String {
        let bytes = Array(text.utf8)
        let grouped = fold(reading, join: GroupedText.init) { operand in
            GroupedText(String(decoding: bytes[operand.range], as: UTF8.self))
        }
        return grouped.text
    }

    fileprivate func fold<Value>(
        _ reading: ConditionReading,
        join: (ConditionSyntax.Operator, Value, Value) -> Value,
        value: (ConditionSyntax) -> Value
    ) -> Value {
        let head = value(first)
        let rest = links.map { ($0.symbol, value($0.operand)) }
        switch reading {
        case .leftToRight:
            return rest.reduce(head) { join($1.0, $0, $1.1) }
        case .rightToLeft:
            return Self.foldFromRight(head, rest: rest[...], join: join)
        case .andBeforeOr:
            var terms = [head]
            for (symbol, operand) in rest {
                guard symbol == .and, let left = terms.popLast() else {
                    terms.append(operand)
                    continue
                }
                terms.append(join(.and, left, operand))
            }
            return terms.dropFirst().reduce(terms[0]) { join(.or, $0, $1) }
        }
    }

    private static func foldFromRight<Value>(
        _ head: Value,
        rest: ArraySlice<(ConditionSyntax.Operator, Value)>,
        join: (ConditionSyntax.Operator, Value, Value) -> Value
    ) -> Value {
        guard let (symbol, next) = rest.first else { return head }
        return join(symbol, head, foldFromRight(next, rest: rest.dropFirst(), join: join))
    }
}

/// A text and the operator that joins its outermost parts, if any.
private struct GroupedText {
    let text: String
    let symbol: ConditionSyntax.Operator?

    init(_ operand: String) {
        text = operand
        symbol = nil
    }

    init(symbol: ConditionSyntax.Operator, left: GroupedText, right: GroupedText) {
        text = "\(left.inside(symbol)) \(symbol.rawValue) \(right.inside(symbol))"
        self.symbol = symbol
    }

    private func inside(_ outer: ConditionSyntax.Operator) -> String {
        symbol == nil || symbol == outer ? text : "(\(text))"
    }
}
