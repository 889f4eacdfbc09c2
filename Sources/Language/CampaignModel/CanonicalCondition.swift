extension Condition {
    /// Returns an equivalent expression, with fewer topic mentions if possible.
    ///
    /// Equivalent conditions over the same topics get the same expression, unless an author's own
    /// is shorter. The result is nil if the condition is always or never true: no expression
    /// without a topic exists.
    package var canonical: Expression? {
        let truth = self.truth
        var search = ShortForm(topics: truth.topics)
        guard let found = search.expression(of: truth.column) else { return nil }
        return expression.mentionCount < found.mentionCount ? expression : found
    }
}

/// Finds an expression for a truth column.
///
/// It splits the column into parts that share no topic while that is possible, then at the topic
/// that leaves the fewest mentions.
private struct ShortForm {
    let topics: [Topic]
    private var known: [TruthColumn: Condition.Expression] = [:]

    init(topics: [Topic]) {
        self.topics = topics
    }

    /// nil for the two constant columns.
    mutating func expression(of column: TruthColumn) -> Condition.Expression? {
        if let found = known[column] { return found }
        let support = column.support
        let found =
            literal(column, over: support) ?? parts(of: column, over: support)
            ?? split(column, over: support)
        known[column] = found
        return found
    }

    private func literal(_ column: TruthColumn, over support: [Int]) -> Condition.Expression? {
        guard support.count == 1, let index = support.first else { return nil }
        return literal(index, isPositive: column == .variable(index))
    }

    private func literal(_ index: Int, isPositive: Bool) -> Condition.Expression {
        isPositive ? .subscribed(topics[index]) : .not(.subscribed(topics[index]))
    }

    /// Finds two parts that share no topic.
    private mutating func parts(
        of column: TruthColumn,
        over support: [Int]
    ) -> Condition.Expression? {
        guard let first = support.first else { return nil }
        let others = support.dropFirst()
        for chosen in Array(others).subsets where chosen.count < others.count {
            let left = [first] + chosen
            let right = others.filter { !chosen.contains($0) }
            let (all, any) = (
                (column.exists(right), column.exists(left)),
                (column.forAll(right), column.forAll(left))
            )
            if all.0 & all.1 == column { return join(Condition.Expression.all, parts: all) }
            if any.0 | any.1 == column { return join(Condition.Expression.any, parts: any) }
        }
        return nil
    }

    private mutating func split(
        _ column: TruthColumn,
        over support: [Int]
    ) -> Condition.Expression? {
        var best: Condition.Expression?
        for index in support {
            let (low, high) = (column.with(index, as: false), column.with(index, as: true))
            guard let without = expression(of: low), let with = expression(of: high) else {
                continue
            }
            let positive = literal(index, isPositive: true)
            let negative = literal(index, isPositive: false)
            let found: Condition.Expression =
                if low & high == low {
                    .any(.all(positive, with), without)
                } else if low & high == high {
                    .any(.all(negative, without), with)
                } else {
                    .any(.all(positive, with), .all(negative, without))
                }
            if found.mentionCount < best?.mentionCount ?? .max { best = found }
        }
        return best
    }

    private mutating func join(
        _ operation: (Condition.Expression, Condition.Expression) -> Condition.Expression,
        parts: (TruthColumn, TruthColumn)
    ) -> Condition.Expression? {
        guard let left = expression(of: parts.0), let right = expression(of: parts.1) else {
            return nil
        }
        return operation(left, right)
    }
}
