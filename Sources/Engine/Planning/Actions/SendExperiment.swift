import CampaignMessages
package import CampaignModel
package import State

/// The experiment that a send belongs to.
package struct SendExperiment: Hashable, Sendable {
    package let record: ExperimentRecord
    /// The columns of the list's people.
    package let columns: PeopleColumns
}

extension Planner {
    /// Nil unless the campaign compares arms.
    func experiment(of campaign: Campaign) -> SendExperiment? {
        guard let design = project.experiment(of: campaign), design.isExperiment else { return nil }
        return SendExperiment(
            record: ExperimentRecord(design),
            columns: campaign.peopleColumns
        )
    }
}
