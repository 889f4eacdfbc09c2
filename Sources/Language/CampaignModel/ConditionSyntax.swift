/// A condition, or a part of one, as its author wrote it.
///
/// What stands in a row without parentheses is one chain, whatever its operators are: how they
/// group is a matter of reading.
package struct ConditionSyntax: Hashable, Sendable {
    package enum Operator: String, Hashable, Sendable {
        case and = "&&"
        case or = "||"
    }

    package indirect enum Form: Hashable, Sendable {
        case mention(Topic)
        case negation(ConditionSyntax)
        case chain(Chain)
    }

    /// Operands and, between each two, an operator.
    package struct Chain: Hashable, Sendable {
        package struct Link: Hashable, Sendable {
            package let symbol: Operator
            package let range: Range<Int>
            package let operand: ConditionSyntax
        }

        package let first: ConditionSyntax
        /// At least one.
        package let links: [Link]

        /// From the first operand to the last, without parentheses around them.
        package var range: Range<Int> {
            first.range.lowerBound..<(links.last?.operand ?? first).range.upperBound
        }

        /// The first link whose operator differs from the one before it.
        package var firstMixed: Link? {
            guard links.count > 1 else { return nil }
            return links.first { $0.symbol != links[0].symbol }
        }
    }

    /// UTF-8 offsets of the condition's text; parentheses around it belong to it.
    package let range: Range<Int>
    package let form: Form

    /// Every chain, the outer before the inner.
    package var chains: [Chain] {
        switch form {
        case .mention: []
        case .negation(let operand): operand.chains
        case .chain(let chain):
            [chain] + chain.first.chains + chain.links.flatMap(\.operand.chains)
        }
    }
}
