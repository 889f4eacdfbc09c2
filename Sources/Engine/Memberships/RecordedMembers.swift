import CampaignModel
import State

/// All members of several scopes, each registration once, sorted by fingerprint; the state is read
/// in chunks.
struct RecordedMembers {
    struct Entry: Sendable {
        let member: Member
        /// The recorded status, by scope.
        var statuses: [(scope: MembershipScope, status: MembershipStatus)]
    }

    private struct Stretch {
        let scope: MembershipScope
        var members: ArraySlice<RecordedMember> = []
        var last: Fingerprint?
        var isOver = false
    }

    private let book: any MembershipBook
    private var stretches: [Stretch]
    /// A store reads little more for many members than for few.
    private static let length = 4_000

    init(of scopes: [MembershipScope], in book: any MembershipBook) {
        self.book = book
        stretches = scopes.map { Stretch(scope: $0) }
    }

    /// Returns at most `count` entries; none at the end.
    mutating func next(_ count: Int) async throws(StateStoreError) -> [Entry] {
        var entries: [Entry] = []
        while entries.count < count, let entry = try await next() { entries.append(entry) }
        return entries
    }

    private mutating func next() async throws(StateStoreError) -> Entry? {
        for place in stretches.indices { try await refill(place) }
        let first = stretches.compactMap(\.members.first).min {
            $0.member.fingerprint < $1.member.fingerprint
        }
        guard let first else { return nil }
        var entry = Entry(member: first.member, statuses: [])
        for place in stretches.indices {
            guard let found = stretches[place].members.first,
                found.member.fingerprint == first.member.fingerprint
            else { continue }
            entry.statuses.append((stretches[place].scope, found.status))
            stretches[place].members.removeFirst()
        }
        return entry
    }

    private mutating func refill(_ place: Int) async throws(StateStoreError) {
        guard stretches[place].members.isEmpty, !stretches[place].isOver else { return }
        let members = try await book.recordedMembers(
            in: stretches[place].scope,
            after: stretches[place].last,
            limit: Self.length
        )
        stretches[place].members = members[...]
        stretches[place].last = members.last?.member.fingerprint
        stretches[place].isOver = members.isEmpty
    }
}
