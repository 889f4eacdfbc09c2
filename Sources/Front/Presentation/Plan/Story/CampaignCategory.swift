import Planning

/// What a plan does with a campaign, for the summary; most important first.
///
/// Each changed campaign is in one category, as it has one entry.
enum CampaignCategory: String, Hashable, CaseIterable {
    case sent = "sent now"
    case handedOver = "handed over to the service"
    case late = "too late"
    case held
    case stopped
    case uncorrected = "with nothing to correct"
    case postponed = "not sent this time"
    case paused
    case scheduled
    case moved
    case dropped = "moved with a dropped send"
    case edited = "changed and still scheduled"
    case renamed
    case changed = "changed without sending"
    case cancelled
    case abandoned = "ended with unsent messages"
    case dismissed = "removed with unsent messages"
    case removed

    /// Takes the most important step of a campaign.
    ///
    /// `move`: how it replaces a cancelled due time; nil if it replaces none. `isPostponed`: whether
    /// the campaign has later due times.
    init(_ step: CampaignStep, move: Move?, isPostponed: Bool) {
        switch step {
        case .send, .resume: self = .sent
        case .handOver: self = .handedOver
        case .lapse, .expire, .skip, .miss, .outlive: self = isPostponed ? .postponed : .late
        case .held: self = .held
        case .stopped: self = .stopped
        case .paused: self = .paused
        case .schedule: self = move.map { $0 == .drops ? .dropped : .moved } ?? .scheduled
        case .reschedule: self = .moved
        case .redefine: self = .edited
        case .rename: self = .renamed
        case .alreadySent, .lowered, .ended, .answer, .unchanged: self = .changed
        case .unschedule: self = .cancelled
        case .cancel(let send): self = send.isEnded ? .abandoned : .dismissed
        case .retire: self = .removed
        case .correct(let correction): self = correction.isHandedOver ? .handedOver : .sent
        case .uncorrectable: self = .uncorrected
        }
    }

    /// How a due time replaces another one.
    enum Move {
        case keeps
        /// The send of the earlier due time is not made up on its day.
        case drops
    }
}
