package import CampaignModel
package import State

/// What an apply tells while it works.
package enum ApplyEvent: Sendable {
    /// The run is in the state, under this number.
    case runBegan(RunID)
    /// So many sendings follow.
    case sendings(Int)
    case began(ApplyPhase, total: Int)
    /// Answers came in for the phase that began last; so many of it have their last outcome now, 0
    /// where all of them are asked for again.
    case progressed(by: Int, ProgressKind = .done)
    case ended(ApplyPhase)
    /// A send waits for joins to settle, so many seconds from now on.
    case settles(seconds: Int64)
    /// Memberships are changed by another API from now on, because of what FCM answered.
    case transportChosen(MembershipTransport, because: String)
    /// Nothing new goes out for so long from now on.
    case pausing(PauseReason, for: Duration)
    /// A request was answered, or will not be.
    case request(RequestNote)
    /// The token that requests carry is another from now on.
    case tokenRenewed
    /// A sending came to its end in this run, whatever end.
    case sent(SendReport)
}

package enum ApplyPhase: Hashable, Sendable {
    case leaving(MembershipScope)
    case joining(MembershipScope)
    /// Recorded members are compared with what FCM says of them.
    case reading
    case sending(OccurrenceID)
}

/// What became of what a phase counts.
package enum ProgressKind: Hashable, Sendable, CaseIterable {
    /// Accepted, or in the topic, or out of it.
    case done
    case refused
    /// Nobody can say.
    case unknown
}

/// Why an apply sends nothing for a while.
package enum PauseReason: String, Hashable, Sendable, CaseIterable {
    /// FCM said 429: the project's quota is used up.
    case quota
    /// Too many answers are 5xx.
    case outage
    /// FCM named a time with an answer that is no quota's.
    case asked
    /// The server can't be reached.
    case unreachable
    /// Another fan-out is taken to be under way.
    case fanOut = "fan-out"
}

extension ApplyEvent {
    static func progress(of results: [MembershipResult]) -> [ApplyEvent] {
        let done = results.count { $0.verdict == .done }
        let refused = results.count - done
        return [.progressed(by: done)]
            + (refused == 0 ? [] : [.progressed(by: refused, .refused)])
    }
}
