import CampaignModel
import Synchronization

/// The occurrences that a run sends or takes back.
///
/// An occurrence is taken back only after its last request was answered. A class, because the tasks of a run
/// share it.
final class ActiveSends: Sendable {
    private struct State {
        var sent: Set<OccurrenceID> = []
        var takenBack: Set<OccurrenceID> = []
    }

    private let state = Mutex(State())

    /// Begins with an occurrence; false if the run has taken it back.
    func begin(_ occurrence: OccurrenceID) -> Bool {
        state.withLock { state in
            guard !state.takenBack.contains(occurrence) else { return false }
            state.sent.insert(occurrence)
            return true
        }
    }

    func end(_ occurrence: OccurrenceID) {
        state.withLock { _ = $0.sent.remove(occurrence) }
    }

    /// Begins to take an occurrence back; false while it is sent, and if that has already begun.
    func takeBack(_ occurrence: OccurrenceID) -> Bool {
        state.withLock { state in
            guard !state.sent.contains(occurrence) else { return false }
            return state.takenBack.insert(occurrence).inserted
        }
    }
}
