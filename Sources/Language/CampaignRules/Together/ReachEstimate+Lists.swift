import CampaignModel
import RegistrationLists

extension ReachEstimate {
    /// Uses the subscribed lists for topics without a declared `reach`.
    init(of project: Project, knownFrom surveys: ListSurveys) {
        var sizes: [Topic: Int] = [:]
        for audience in project.audiences {
            guard case .success(let survey)? = surveys[audience.list] else { continue }
            for topic in audience.subscribe ?? [] { sizes[topic, default: 0] += survey.count }
        }
        self.init(sizes: sizes.merging(project.topics.compactMapValues(\.reach)) { $1 })
    }
}
