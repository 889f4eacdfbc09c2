import Applying
import ArgumentParser
import CampaignModel
import Memberships
import RunControl
import State

/// The exit codes of commands, which are a public contract.
///
/// If several apply, the first in this order wins.
enum ExitReason: Int32, CaseIterable {
    case interrupted = 130
    case locked = 7
    case refusedByGuard = 6
    case stalePlan = 5
    case unknownOutcomes = 4
    case partlyApplied = 3
    case error = 1
    case changesPending = 2
    case invalidFiles = 65
    case usage = 64

    var code: ExitCode { ExitCode(rawValue) }

    /// The position in the order of precedence.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ApplyReport {
    /// Nil if everything was done.
    var exitReason: ExitReason? {
        if error == .interrupted { return .interrupted }
        if case .state(.locked(_))? = error { return .locked }
        if case .recalled? = error { return .stalePlan }
        if refusedSends.contains(where: \.isRefusedByGuard) { return .refusedByGuard }
        if tally[.unknown] > 0 || !stopped.isEmpty { return .unknownOutcomes }
        if isPartial { return .partlyApplied }
        return error == nil ? nil : .error
    }

    /// Whether some work was done and some was not, or an occurrence reached no recipient.
    ///
    /// A registration without an app is no failure: every list has some.
    private var isPartial: Bool {
        if error != nil { return didAnything }
        return tooLate > 0 || !paused.isEmpty || !held.isEmpty || !heldByService.isEmpty
            || !stoppedRollouts.isEmpty
            || !waiting.isEmpty || !cancelled.isEmpty || !takenBack.isEmpty
            || !pausedMemberships.isEmpty || !refusedSends.isEmpty
            || !memberships.refusedLeaves.isEmpty || memberships.hasFailedJoins
            || sends.contains { $0.hasOtherRejections || $0.cameToNothing }
    }
}
