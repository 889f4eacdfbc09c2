package import CampaignModel
package import Planning
package import RegistrationLists
package import RunControl
package import State

/// Reads the members of a change in chunks, so that memory does not grow with their number.
///
/// An actor, because tasks read from it and it continues where it stopped.
package actor MemberSource {
    /// The members of several requests, because they are recorded in one commit.
    static let stretch = 4_000

    private let change: MembershipChange
    private let book: any MembershipBook
    private let fingerprinter: Fingerprinter
    /// Nil for leaves, whose registrations are in the state.
    private var list: RegistrationReader?
    /// The first members, if they were read before they were needed.
    private var first: [Member]?
    /// Number of leaves that have been read.
    private var cursor = 0
    /// The members that the list contains, with and without a request.
    private var expected = ExpectedMembers(joins: [], noted: [])
    /// The recorded statuses of the expected members, once they were read.
    private var standings: MembershipStandings?

    /// Reads the recorded members that must leave.
    package init(
        leaves change: MembershipChange,
        in book: any MembershipBook,
        with fingerprinter: Fingerprinter
    ) {
        self.change = change
        self.book = book
        self.fingerprinter = fingerprinter
    }

    /// Reads the members that must join; the list is read again, because a plan contains only
    /// fingerprints.
    ///
    /// `directory`: The base of relative paths, and the outputs of sources.
    package init(
        joins change: MembershipChange,
        of list: RegistrationList,
        directory: any ListPlaces,
        in book: any MembershipBook,
        with fingerprinter: Fingerprinter
    ) throws(ApplyError) {
        self.change = change
        self.book = book
        self.fingerprinter = fingerprinter
        self.list = try mapListErrors { () throws(RegistrationListError) in
            try RegistrationReader(list, directory: directory)
        }
        expected = ExpectedMembers(joins: change.joins, noted: change.noted)
    }

    /// Returns at most `stretch` members; none at the end.
    func next() async throws(ApplyError) -> [Member] {
        if let members = first {
            first = nil
            return members
        }
        return try await read()
    }

    /// Whether the members are installation IDs, judged by the first one.
    func hasInstallationIDs() async throws(ApplyError) -> Bool {
        let members = if let first { first } else { try await read() }
        first = members
        return members.first?.registration.isInstallationID ?? false
    }

    private func read() async throws(ApplyError) -> [Member] {
        list == nil ? try await leaves() : try joins()
    }

    /// Returns the statuses that joining members have in the topic, for any audience.
    ///
    /// They are read once for all members of the change, before the first of them is recorded: one
    /// pass over the records costs as much as the search for a chunk of members.
    func standings(
        of members: [Member]
    ) async throws(ApplyError) -> [Fingerprint: Set<MembershipStatus>] {
        let all = try await allStandings()
        guard !all.isEmpty else { return [:] }
        var found: [Fingerprint: Set<MembershipStatus>] = [:]
        for member in members { found[member.fingerprint] = all[member.fingerprint] }
        return found
    }

    private func allStandings() async throws(ApplyError) -> MembershipStandings {
        if let standings { return standings }
        do throws(StateStoreError) {
            let all = try await book.standings(
                of: expected.fingerprints,
                in: change.scope.topic
            )
            standings = all
            return all
        } catch {
            throw .state(error)
        }
    }

    private func leaves() async throws(ApplyError) -> [Member] {
        let end = min(cursor + Self.stretch, change.leaves.count)
        let leaves = Array(change.leaves[cursor..<end])
        cursor = end
        guard !leaves.isEmpty else { return [] }
        do throws(StateStoreError) {
            return try await book.beginLeave(leaves, in: change.scope)
        } catch {
            throw .state(error)
        }
    }

    /// Joins are in the order of the list.
    private func joins() throws(ApplyError) -> [Member] {
        var members: [Member] = []
        while members.count < Self.stretch, expected.rest > 0, let member = try nextOfList() {
            if expected.find(member.fingerprint) { members.append(member) }
        }
        guard !members.isEmpty || expected.rest == 0 else {
            throw .list(.changed(path: change.list?.path))
        }
        return members
    }

    private func nextOfList() throws(ApplyError) -> Member? {
        while let entry = try mapListErrors({ () throws(RegistrationListError) in try list?.next() }
        ) {
            guard case .registration(let registration) = entry else { continue }
            return Member(
                fingerprint: fingerprinter.fingerprint(of: registration),
                registration: registration
            )
        }
        return nil
    }
}

/// The members that a list must contain, and those that it has contained so far.
private struct ExpectedMembers {
    /// Sorted.
    let fingerprints: [Fingerprint]
    private var isFound: [Bool]
    /// Number of members that were not found yet.
    private(set) var rest: Int

    /// `joins`, `noted`: in any order, without common members.
    init(joins: [Fingerprint], noted: [Fingerprint]) {
        fingerprints = (noted.isEmpty ? joins : joins + noted).sortedByBits()
        rest = fingerprints.count
        isFound = Array(repeating: false, count: rest)
    }

    /// Returns false for another registration, and for one that was found before.
    mutating func find(_ fingerprint: Fingerprint) -> Bool {
        guard let index = fingerprints.sortedIndex(of: fingerprint), !isFound[index] else {
            return false
        }
        isFound[index] = true
        rest -= 1
        return true
    }
}
