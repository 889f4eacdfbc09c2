import Applying
import ArgumentParser
import CampaignModel
import Planning
import Presentation
import RunControl
import State

/// How an apply ended.
struct ApplyResult {
    enum End {
        case nothingToDo
        case performed(ApplyReport)
        /// Another run applied the reviewed plan in the meantime.
        case overtaken
    }

    /// The plan that was shown.
    let plan: Plan
    /// The interrupted sends that were settled first.
    let cutOff: [SendReport]
    let end: End
    /// Whether the command was asked to stop while it waited for a service.
    let isInterrupted: Bool

    var report: ApplyReport? {
        if case .performed(let report) = end { report } else { nil }
    }

    /// Whether the plan had anything to do.
    var hadChanges: Bool {
        switch end {
        case .nothingToDo: false
        case .performed, .overtaken: true
        }
    }

    /// Returns the result with what a service did.
    func adding(_ followed: ApplyReport, isInterrupted: Bool) -> ApplyResult {
        var report = self.report ?? ApplyReport()
        report.take(followed)
        return ApplyResult(
            plan: plan,
            cutOff: cutOff,
            end: .performed(report),
            isInterrupted: isInterrupted
        )
    }

    /// Nil if everything was done.
    var exitReason: ExitReason? {
        if isInterrupted { return .interrupted }
        let leavesUnknown =
            cutOff.contains { $0.tally[.unknown] > 0 }
            || plan.campaigns.contains { $0.step.isStopped }
            || plan.sends.contains { ($0.unit?.tally[.unknown] ?? 0) > 0 }
        let waits = plan.campaigns.contains { $0.step.isPaused || $0.step.isHeld }
        let reasons: [ExitReason?] = [
            report?.exitReason, leavesUnknown ? .unknownOutcomes : nil,
            waits ? .partlyApplied : nil,
        ]
        return reasons.compactMap(\.self).min { $0.rank < $1.rank }
    }

    /// Throws if the command does not exit with 0.
    func throwReason() throws {
        let reason = exitReason
        if let error = report?.error {
            throw CommandFailure(ErrorText(error), exit: reason ?? .error)
        }
        if let reason { throw reason.code }
    }
}
