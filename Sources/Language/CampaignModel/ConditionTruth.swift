/// A condition's values for all sets of subscriptions to its topics: at most 32 rows.
package struct ConditionTruth: Hashable, Sendable {
    /// The condition's topics in order of first mention; at most five.
    package let topics: [Topic]
    let column: TruthColumn

    package struct Row: Hashable, Sendable {
        /// In the order of the condition's topics.
        package let subscribed: [Topic]
        package let others: [Topic]
        package let isReached: Bool
    }

    /// Creates the table of an expression that names no topics except `topics`.
    init(_ expression: Condition.Expression, topics: [Topic]) {
        self.topics = topics
        column = Self.column(of: expression, over: topics)
    }

    private static func column(
        of expression: Condition.Expression,
        over topics: [Topic]
    ) -> TruthColumn {
        switch expression {
        case .subscribed(let topic):
            topics.firstIndex(of: topic).map(TruthColumn.variable) ?? .never
        case .not(let operand): !column(of: operand, over: topics)
        case .all(let left, let right):
            column(of: left, over: topics) & column(of: right, over: topics)
        case .any(let left, let right):
            column(of: left, over: topics) | column(of: right, over: topics)
        }
    }

    /// Sorted by the number of subscriptions, then in the order of the topics.
    package var rows: [Row] {
        let indices = Array(topics.indices)
        let sets = indices.subsets.sorted { left, right in
            left.count == right.count
                ? left.lexicographicallyPrecedes(right) : left.count < right.count
        }
        return sets.map { subscribed in
            Row(
                subscribed: subscribed.map { topics[$0] },
                others: indices.filter { !subscribed.contains($0) }.map { topics[$0] },
                isReached: column.value(inRow: subscribed.reduce(0) { $0 | 1 << $1 })
            )
        }
    }

    package var isNeverTrue: Bool { column == .never }
    package var isAlwaysTrue: Bool { column == .always }

    /// Whether it reaches an app instance without any subscription to the topics.
    ///
    /// Nearly all app instances are of this kind.
    package var reachesTheUnsubscribed: Bool { column.value(inRow: 0) }

    /// The topics that do not change the value in any row.
    package var uselessTopics: [Topic] {
        topics.indices.filter { !column.depends(on: $0) }.map { topics[$0] }
    }

    /// The topics whose subscription makes the condition true in some row.
    package var topicsBringingIn: [Topic] {
        topics.indices.filter { column.with($0, as: true) & !column.with($0, as: false) != .never }
            .map { topics[$0] }
    }
}

extension Condition {
    /// The chains that mix `&&` and `||` and change their meaning in another reading.
    ///
    /// Empty if the whole condition has the same meaning in every reading.
    package var ambiguousChains: [ConditionSyntax.Chain] {
        guard mixesOperators else { return [] }
        let topics = self.topics
        guard Self.differ(syntax.expression, over: topics)
        else { return [] }
        return syntax.chains.filter { chain in
            let part = ConditionSyntax(range: chain.range, form: .chain(chain))
            return chain.firstMixed != nil && Self.differ(part.expression, over: topics)
        }
    }

    private static func differ(
        _ expression: (ConditionReading) -> Expression,
        over topics: [Topic]
    ) -> Bool {
        Set(ConditionReading.allCases.map { ConditionTruth(expression($0), topics: topics) })
            .count > 1
    }
}
