package import CampaignModel
package import State

/// Looks up registrations of a stored list by number in chunks; ascending numbers cost one read of
/// the store per thousand.
package struct ListWindow {
    private let reader: any StateReader
    private let list: ListID
    private var first = 0
    private var registrations: [Registration] = []

    private static let size = 1_000

    package init(reader: any StateReader, list: ListID) {
        self.reader = reader
        self.list = list
    }

    package mutating func registration(_ number: Int) async throws(StateStoreError) -> Registration
    {
        if !registrations.indices.contains(number - first) {
            first = number - number % Self.size
            registrations = try await reader.registrations(of: list, from: first, count: Self.size)
        }
        guard registrations.indices.contains(number - first) else {
            throw .damaged(path: "", reason: "the stored list \(list.text) is too short")
        }
        return registrations[number - first]
    }
}
