/// A condition, or a part of one, as written.
///
/// A sequence without parentheses is one chain, regardless of its operators; a `ConditionReading`
/// determines the grouping.
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

    /// Operands with an operator between each two.
    package struct Chain: Hashable, Sendable {
        package struct Link: Hashable, Sendable {
            package let symbol: Operator
            package let range: Range<Int>
            package let operand: ConditionSyntax
        }

        package let first: ConditionSyntax
        /// At least one.
        package let links: [Link]

        /// From the first operand to the last, without surrounding parentheses.
        package var range: Range<Int> {
            first.range.lowerBound..<(links.last?.operand ?? first).range.upperBound
        }

        /// The first link whose operator differs from the previous one.
        package var firstMixed: Link? {
            guard links.count > 1 else { return nil }
            return links.first { $0.symbol != links[0].symbol }
        }
    }

    /// UTF-8 offsets of the condition's text, including surrounding parentheses.
    package let range: Range<Int>
    package let form: Form

    /// All chains, outer chains first.
    package var chains: [Chain] {
        switch form {
        case .mention: []
        case .negation(let operand): operand.chains
        case .chain(let chain):
            [chain] + chain.first.chains + chain.links.flatMap(\.operand.chains)
        }
    }
}
