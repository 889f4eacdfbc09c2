import CampaignModel
import JSON
import State

/// The part of an interrupted send that a reviewer approves, if its list was edited.
struct ResumedList: Sendable {
    let occurrence: OccurrenceID
    let list: EditedList

    static let shape = JSONShape<ResumedList>(
        "An interrupted send that continues with its stored list instead of the current one.",
        [
            .required("occurrence", .occurrence, about: "campaign/slot/revision") {
                $0.occurrence
            },
            .required("stored", .text, about: "Hash of the stored list.") { $0.list.stored.text },
            .required("current", .text, about: "Hash of the current list.") {
                $0.list.current.text
            },
            .required("remaining", .count, about: "Requests to the stored list that remain.") {
                $0.list.remaining
            },
            .required("removed", .object(ReviewedMembership.members)) { $0.list.removed },
            .required(
                "added",
                .count,
                about: "Registrations that only the current list contains."
            ) { $0.list.added },
        ]
    )
}

extension Planner {
    /// Returns the interrupted sends of a campaign whose lists were edited.
    ///
    /// A send whose message has expired is included, so that the digest does not depend on the
    /// time. The output of a source is different in each run, so it is not an edit.
    func resumedLists(_ history: CampaignHistory) -> [ResumedList] {
        if case .registrations(let list) = history.campaign.target, !list.sources.isEmpty {
            return []
        }
        return history.underWay.compactMap { record in
            editedList(of: record.unit).map { ResumedList(occurrence: record.id, list: $0) }
        }
    }
}
