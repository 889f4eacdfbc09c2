import Experiments
import State

/// Describes Google's aggregated delivery data.
struct AndroidWording {
    let result: ExperimentResult

    var note: String {
        "Delivered on Android, from Google's delivery data, which is aggregated and a day late; no "
            + "verdict rests on it: "
            + result.android.map { "\(label($0)): \(text($0.finding))" }.joined(separator: "; ")
            + "."
    }

    private func label(_ arm: AndroidArm) -> String {
        TextStyle.safe(result.arms[arm.arm].label)
    }

    private func text(_ finding: AndroidArm.Finding) -> String {
        switch finding {
        case .noLabel: "not known, because its messages have no `analytics_label`"
        case .sharedLabel: "not known, because its `analytics_label` is not its own"
        case .notKnown(let label):
            "not known, because Google has no data about \(TextStyle.safe(label)); it leaves out small "
                + "groups"
        case .known(let total) where total.accepted == 0: "no messages to Android devices"
        case .known(let total):
            "about \(total.delivered.grouped) of \(total.accepted.grouped) messages "
                + "(\(ResultNumbers.percent(Double(total.delivered) / Double(total.accepted)))) until "
                + total.lastDay
        }
    }
}
