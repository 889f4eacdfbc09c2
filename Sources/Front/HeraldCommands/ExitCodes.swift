import ArgumentParser
import Applying
import CampaignModel
import State

/// How a command ends: a public contract.
///
/// Of several the first in this order applies.
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

    /// Its place in the order.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension ApplyReport {
    /// Nil where everything was done.
    var exitReason: ExitReason? {
        if error == .interrupted { return .interrupted }
        if case .state(.locked(_))? = error { return .locked }
        if tally[.unknown] > 0 || !stopped.isEmpty { return .unknownOutcomes }
        if isPartial { return .partlyApplied }
        return error == nil ? nil : .error
    }

    /// Something was done and something was not, or a sending came to nothing.
    private var isPartial: Bool {
        if error != nil { return didAnything }
        return !expired.isEmpty || !paused.isEmpty || !held.isEmpty || !waiting.isEmpty
            || !memberships.refusedLeaves.isEmpty
            || sends.contains(where: \.cameToNothing)
    }
}

extension SendReport {
    /// Nobody was sent to, because FCM refused them or had called them dead before.
    fileprivate var cameToNothing: Bool {
        tally.total > 0 && tally[.rejected] + tally[.suppressed] == tally.total
    }
}
