/// Upper bounds for the app instances that topics and conditions reach, from declared sizes.
package struct ReachEstimate: Hashable, Sendable {
    private let sizes: [Topic: Int]

    package init(sizes: [Topic: Int]) {
        self.sizes = sizes
    }

    /// Uses the `reach` that the project declares.
    package init(declaredBy project: Project) {
        sizes = project.topics.compactMapValues(\.reach)
    }

    /// nil if the size is unknown, and for targets that are neither topics nor conditions.
    ///
    /// Required topics reach at most the smallest of them. Alternative topics reach at most the
    /// sum.
    package func upperBound(of target: AudienceTarget) -> Int? {
        switch target {
        case .topic(let topic): sizes[topic]
        case .condition(let condition): upperBound(of: condition.expression)
        case .registrations, .group: nil
        }
    }

    private func upperBound(of expression: Condition.Expression) -> Int? {
        switch expression {
        case .subscribed(let topic): return sizes[topic]
        case .not: return nil
        case .all(let left, let right):
            return [upperBound(of: left), upperBound(of: right)].compactMap { $0 }.min()
        case .any(let left, let right):
            guard let left = upperBound(of: left), let right = upperBound(of: right) else {
                return nil
            }
            return left.addingReportingOverflow(right).partialValue
        }
    }
}
