import CampaignModel
import RegistrationLists
import State

/// Compares a stored list, which is read in parts, with a campaign's current list.
///
/// Holds 16 bytes per registration of the current list, and the removed registrations that are
/// still addressed.
struct ListComparison {
    private let stored: ListID
    private let current: ListID
    /// Sorted.
    private let wanted: [Fingerprint]
    /// Number of registrations that both lists contain, among those that were added here.
    private var shared = 0
    private var removed: [Fingerprint] = []

    /// Nil if both lists have the same content.
    init?(of stored: ListID, with current: ListSurvey) {
        guard stored != current.id else { return nil }
        self.stored = stored
        self.current = current.id
        wanted = current.fingerprints.inOrder().sortedByBits()
    }

    /// Adds the next registration of the stored list.
    ///
    /// `isAddressed`: whether a remaining request addresses it.
    mutating func add(_ fingerprint: Fingerprint, isAddressed: Bool) {
        if wanted.containsSorted(fingerprint) {
            shared += 1
        } else if isAddressed {
            removed.append(fingerprint)
        }
    }

    /// Returns the differences, once the whole stored list was added.
    ///
    /// Nil if no remaining request addresses a removed registration, and none is new.
    ///
    /// `remaining`: the number of remaining requests.
    func edited(remaining: Int) -> EditedList? {
        let added = wanted.count - shared
        guard added > 0 || !removed.isEmpty else { return nil }
        return EditedList(
            stored: stored,
            current: current,
            remaining: remaining,
            removed: removed,
            added: added
        )
    }
}
