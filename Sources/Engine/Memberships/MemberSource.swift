package import CampaignModel
package import Planning
package import RegistrationLists
package import RunControl
package import State

/// Reads the members of a change in chunks, so that memory does not grow with their number.
///
/// An actor, because tasks read from it and it continues where it stopped.
package actor MemberSource {
    static let stretch = 1_000

    private let change: MembershipChange
    private let book: any MembershipBook
    private let fingerprinter: Fingerprinter
    /// Nil for leaves, whose registrations are in the state.
    private var list: RegistrationReader?
    /// Number of leaves or joins that have been read.
    private var cursor = 0
    /// Members that must be recorded without a request and have not been read yet.
    private var noted: Set<Fingerprint> = []

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
    /// `directory`: The base of relative paths.
    package init(
        joins change: MembershipChange,
        of list: RegistrationList,
        directory: String,
        in book: any MembershipBook,
        with fingerprinter: Fingerprinter
    ) throws(ApplyError) {
        self.change = change
        self.book = book
        self.fingerprinter = fingerprinter
        self.list = try mapListErrors { () throws(RegistrationListError) in
            try RegistrationReader(list, directory: directory)
        }
        noted = Set(change.noted)
    }

    /// Returns at most `stretch` members; none at the end.
    func next() async throws(ApplyError) -> [Member] {
        list == nil ? try await leaves() : try joins()
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
        while members.count < Self.stretch, let member = try nextOfList() {
            if cursor < change.joins.count, change.joins[cursor] == member.fingerprint {
                cursor += 1
                members.append(member)
            } else if noted.remove(member.fingerprint) != nil {
                members.append(member)
            }
        }
        let isWhole = cursor == change.joins.count && noted.isEmpty
        guard !members.isEmpty || isWhole else {
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
