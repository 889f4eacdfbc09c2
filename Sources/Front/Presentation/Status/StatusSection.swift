import Applying
import State

/// The section of an occurrence in the status.
enum StatusPlace: Hashable {
    case underWay
    case interrupted
    case deferred
    case betweenStages
    case stopped
    case held
    case endedUnknown
    case scheduled
    case settled
}

/// A heading of the status, and the occurrences below it.
struct StatusSection {
    let phase: StatusPlace
    let title: String
    let tone: TextStyle.Tone

    static let all = [
        StatusSection(phase: .underWay, title: "In progress", tone: .strong),
        StatusSection(
            phase: .interrupted,
            title: "Interrupted; the next apply resumes",
            tone: .strong
        ),
        StatusSection(
            phase: .deferred,
            title: "Interrupted by quiet hours",
            tone: .attention
        ),
        StatusSection(
            phase: .betweenStages,
            title: "Between two stages",
            tone: .attention
        ),
        StatusSection(phase: .stopped, title: "Stopped at an unknown outcome", tone: .bad),
        StatusSection(phase: .held, title: "Held", tone: .bad),
        StatusSection(
            phase: .endedUnknown,
            title: "Ended with unknown outcomes",
            tone: .attention
        ),
        StatusSection(phase: .scheduled, title: "Scheduled", tone: .strong),
    ]
}

extension OccurrenceOverview {
    /// The fleet sends even if no process holds the lock.
    func place(isWriting: Bool) -> StatusPlace {
        switch phase {
        case .underWay where entrusted?.isHeld == true: .held
        case .underWay where isBetweenStages: .betweenStages
        case .underWay where deferredUntil != nil: .deferred
        case .underWay: isWriting || entrusted != nil ? .underWay : .interrupted
        case .stopped: .stopped
        case .held: .held
        case .scheduled: .scheduled
        case .finished, .cancelled, .expired: isSettled ? .settled : .endedUnknown
        }
    }
}
