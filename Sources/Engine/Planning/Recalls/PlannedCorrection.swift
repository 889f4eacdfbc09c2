package import CampaignModel
import State

/// Replaces the notifications of an occurrence with the text of a correction.
package struct PlannedCorrection: Hashable, Sendable {
    package let recall: RecallPlan
    /// The registrations that FCM accepted, or may have accepted, without those that died since then; a list
    /// that the state has dropped is stored again.
    package let target: SendStepTarget
    /// Whether a service sends it, and not an apply.
    package let isHandedOver: Bool

    package var occurrence: OccurrenceID { recall.sent.id }

    /// The number of requests.
    package var count: Int { target.count ?? 1 }
}

/// Why a correction sends nothing.
package struct NothingToCorrect: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// No message of it was sent.
        case notSent
        case refused(RecallRefusal)
        /// The state has dropped the list, and the list of the files is another one.
        case lostList
    }

    package let corrected: CorrectedSend
    package let reason: Reason
}
