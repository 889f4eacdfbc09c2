import Applying
import CampaignModel

extension ObjectiveOverview {
    /// For example, `90% accepted after 1 min 48 s; objective 90% in 2 min: reached`.
    var wording: String {
        "\(fact); objective \(ObjectiveWording.name(objective)): \(verdict)"
    }

    private var fact: String {
        let share = "\(objective.share) accepted"
        return switch status {
        case .reached, .late: "\(share) after \(time)"
        case .missed: "\(accepted.grouped) of \(addressed.grouped) accepted"
        case .open: "\(accepted.grouped) of \(addressed.grouped) accepted so far"
        case .unrecorded: "\(share), at a time that is not recorded"
        case .fanOut: "accepted by FCM" + (reachedAfter == nil ? "" : " after \(time)")
        }
    }

    private var verdict: String {
        switch status {
        case .reached: "reached"
        case .late, .missed: "not reached"
        case .open: "not reached yet"
        case .unrecorded: "unknown"
        case .fanOut: "unknown, because FCM does not report fan-outs"
        }
    }

    private var time: String { ObjectiveWording.length(reachedAfter ?? 0) }
}
