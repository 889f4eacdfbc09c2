import CampaignModel
import RegistrationLists

extension ReachEstimate {
    /// Where no `reach` is declared, by the lists that are kept subscribed.
    init(of project: Project, knownFrom surveys: ListSurveys) {
        var sizes: [Topic: Int] = [:]
        for audience in project.audiences {
            guard case .success(let survey)? = surveys[audience.list] else { continue }
            for topic in audience.subscribe ?? [] { sizes[topic, default: 0] += survey.count }
        }
        self.init(sizes: sizes.merging(project.topics.compactMapValues(\.reach)) { $1 })
    }
}
