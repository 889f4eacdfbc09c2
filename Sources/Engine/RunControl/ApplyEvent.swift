package import CampaignModel
package import FCMClient
package import State

/// A progress event of an apply.
package enum ApplyEvent: Hashable, Sendable {
    /// The run is recorded in the state under this number.
    case runBegan(RunID)
    /// Number of occurrences that follow.
    case sendings(Int)
    case began(ApplyPhase, total: Int)
    /// Answers arrived: this many items have their final outcome, or 0 if all of them are repeated.
    ///
    /// `of`: the occurrence that is sent; nil if the phase that began last is no send.
    case progressed(by: Int, ProgressKind = .done, of: OccurrenceID? = nil)
    case ended(ApplyPhase)
    /// A send waits this many seconds for joins to settle.
    case settles(seconds: Int64)
    /// Another API changes memberships from now on, because of an answer from FCM.
    case transportChosen(MembershipTransport, because: String)
    /// No new request is sent for this long: of an occurrence, or of the current phase if `of` is nil.
    case pausing(PauseReason, for: Duration, of: OccurrenceID? = nil)
    /// A request was answered, or failed.
    case request(RequestNote)
    /// Requests carry a new token from now on.
    case tokenRenewed
    /// An occurrence ended in this run, with any result.
    case sent(SendReport)
}

package enum ApplyPhase: Hashable, Sendable {
    case leaving(MembershipScope)
    case joining(MembershipScope)
    /// Recorded members are compared with FCM.
    case reading
    /// The registrations of a list are checked with FCM.
    case checking
    case sending(OccurrenceID)
}

/// The result of an item in a phase.
package enum ProgressKind: Hashable, Sendable, CaseIterable {
    /// Accepted, joined, or left.
    case done
    case refused
    /// The outcome is unknown.
    case unknown
}

/// Why an apply sends nothing for a while.
package enum PauseReason: String, Hashable, Sendable, CaseIterable {
    /// FCM answered 429: the project's quota is used up.
    case quota
    /// Too many answers are 5xx.
    case outage
    /// FCM requested a pause in an answer that is not about quota.
    case asked
    /// The server is unreachable.
    case unreachable
    /// Another fan-out is probably still running.
    case fanOut = "fan-out"
}

extension ApplyEvent {
    package static func progress(of results: [MembershipResult]) -> [ApplyEvent] {
        let done = results.count { $0.verdict == .done }
        let refused = results.count - done
        return [.progressed(by: done)]
            + (refused == 0 ? [] : [.progressed(by: refused, .refused)])
    }
}
