/// How many app instances topics and conditions reach at most, as far as anybody says.
package struct ReachEstimate: Hashable, Sendable {
    private let sizes: [Topic: Int]

    package init(sizes: [Topic: Int]) {
        self.sizes = sizes
    }

    /// By the `reach` that the project declares.
    package init(declaredBy project: Project) {
        sizes = project.topics.compactMapValues(\.reach)
    }

    /// Nil where nothing is known, and of what is no topic and no condition.
    ///
    /// A condition reaches at most the smallest of topics that are all required, and at most the sum
    /// of topics of which any is enough.
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
