import Applying
import CampaignModel
import Planning
import State

/// Renders stages and stops of rollouts.
struct RolloutWording {
    var clock: StoryClock?
    var hint = CommandHint.local

    /// For example, `is sent in 3 stages: staff 4, 1% 120, 100% 11,876; 30 min between two stages`.
    func wording(_ rollout: PlannedRollout) -> String {
        // Recipients of an earlier stage may wait for the end of quiet hours.
        let left = rollout.stages.enumerated().filter { number, stage in
            number >= rollout.present || (stage.count ?? 0) > 0
        }
        let stages = left.map { _, stage in
            stage.stage.name + (stage.count.map { " \($0.grouped)" } ?? "")
        }
        let names = stages.joined(separator: ", ")
        let pause =
            rollout.pause == 0
            ? "" : "; \(EffortWording.wording(rollout.pause)) between two stages"
        guard rollout.present > 0 || rollout.until != nil else {
            return "is sent in \(stages.count.counting("stage")): \(names)\(pause)"
        }
        let position = "stage \(rollout.present + 1) of \(rollout.stages.count)"
        guard let until = rollout.until, let clock else {
            return "continues with \(position); not sent yet: \(names)\(pause)"
        }
        let moment = clock.moment(until)
        return "waits until \(moment.local) \(moment.zone) for \(position); not sent yet: "
            + "\(names)\(pause)"
    }

    /// For example, `stage 2 of 4 (10%)`.
    static func position(of record: RolloutRecord) -> String {
        let stages = record.rollout.allStages
        return "stage \(record.stage + 1) of \(stages.count) (\(stages[record.stage].name))"
    }

    func wording(_ stopped: StoppedRollout) -> String {
        let stage = stopped.stage.map { " in stage \($0 + 1)" } ?? ""
        let why = stopped.stop.map { ": " + $0.wording } ?? ""
        let name = stopped.occurrence.campaign
        return "its rollout stopped\(stage)\(why); send the rest with "
            + "`\(hint("rollout continue \(name)"))`, or give it up with "
            + "`\(hint("rollout abort \(name)"))`"
    }
}

extension RolloutStage {
    /// The audience of the canary, the threshold as written, or `rest`.
    package var name: String {
        switch self {
        case .canary(let audience): "\(audience) (canary)"
        case .part(let threshold): threshold.description
        case .rest: "rest"
        }
    }
}

extension RolloutStop {
    /// For example, `12 of 230 answers are rejections, mostly SENDER_ID_MISMATCH`.
    package var wording: String {
        let code = code.map { TextStyle.safe($0) }
        let most = code.map { ", mostly \($0)" } ?? ""
        return switch reason {
        case .rejected:
            "\(counts.rejected.grouped) of \(counts.answers.counting("answer")) rejected the message"
                + most
        case .unknown: "\(counts.unknown.counting("unknown outcome"))\(most)"
        case .held: "the send was stopped: \(code ?? "the server failed")"
        }
    }
}
