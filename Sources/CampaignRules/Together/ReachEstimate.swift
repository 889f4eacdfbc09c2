import CampaignModel
import Registrations

/// How many app instances topics and conditions reach, as far as the files tell.
struct ReachEstimate: Sendable {
    private let sizes: [Topic: Int]

    /// By the `reach` that the project declares.
    init(declaredBy project: Project) {
        sizes = project.topics.compactMapValues(\.reach)
    }

    /// Where no `reach` is declared, by the lists that are kept subscribed.
    init(of project: Project, knownFrom surveys: ListSurveys) {
        var sizes: [Topic: Int] = [:]
        for audience in project.audiences {
            guard case .success(let survey)? = surveys[audience.list] else { continue }
            for topic in audience.subscribe ?? [] { sizes[topic, default: 0] += survey.count }
        }
        self.sizes = sizes.merging(project.topics.compactMapValues(\.reach)) { $1 }
    }

    /// Nil where nothing is known, and of what is no topic and no condition.
    func upperBound(of target: AudienceTarget) -> Int? {
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
