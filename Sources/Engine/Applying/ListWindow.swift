import CampaignModel
import State

/// Looks up registrations of a stored list by number in chunks; ascending numbers cost one read of
/// the store per thousand.
struct ListWindow {
    private let store: any StateStore
    private let list: ListID
    private var first = 0
    private var registrations: [Registration] = []

    private static let size = 1_000

    init(store: any StateStore, list: ListID) {
        self.store = store
        self.list = list
    }

    mutating func registration(_ number: Int) throws(StateStoreError) -> Registration {
        if !registrations.indices.contains(number - first) {
            first = number - number % Self.size
            registrations = try store.registrations(of: list, from: first, count: Self.size)
        }
        guard registrations.indices.contains(number - first) else {
            throw .damaged(path: "", reason: "the stored list \(list.text) is too short")
        }
        return registrations[number - first]
    }
}
