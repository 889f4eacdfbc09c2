import CampaignModel
import JSON
import State

extension CampaignHistory {
    /// Refuses to divide people in another way after the first send under the same name: some of them would
    /// change their variant, and no result could be read any more.
    ///
    /// A variant of weight 0 may come and go.
    func refuseChangedExperiment() throws(PlanningError) {
        guard isChanged, records.contains(where: \.happened),
            let before = recorded?.content["experiment"], let now = content.content["experiment"],
            let name = now["name"]?.stringValue, before["name"]?.stringValue == name
        else { return }
        guard before["holdout"] != now["holdout"] || before.weights != now.weights else { return }
        throw .changedExperiment(campaign.id, name: name)
    }
}

extension JSONValue {
    /// The variants of an experiment that anyone gets, in order.
    fileprivate var weights: [JSONObject.Member] {
        (self["weights"]?.objectValue?.members ?? []).filter { $0.value != .integer(0) }
    }
}
