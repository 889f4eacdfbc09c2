import CampaignModel
import State

/// Looks registrations of a stored list up by number, reading a stretch at a time: numbers that
/// rise cost one read of the store for each thousand.
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
