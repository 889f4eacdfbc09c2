import State

/// Members of one pending request.
struct MembershipWork: Hashable, Sendable {
    let members: [Member]
    /// Number of consecutive attempts without an answer.
    let failures: Int
}

/// Members with pending requests: those in the queue, and those that wait for a time.
struct MembershipQueue: Sendable {
    private var pieces: [MembershipWork] = []
    /// Number of members taken from the first item.
    private var begun = 0
    private var delayed: [(moment: Duration, work: MembershipWork)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The earliest time at which a delayed member may be requested.
    var next: Duration? { delayed.map(\.moment).min() }

    mutating func append(_ members: [Member]) {
        guard !members.isEmpty else { return }
        pieces.append(MembershipWork(members: members, failures: 0))
        count += members.count
    }

    /// Puts members at the front.
    mutating func putBack(_ members: [Member], failures: Int = 0) {
        guard !members.isEmpty else { return }
        settleFirst()
        pieces.insert(MembershipWork(members: members, failures: failures), at: 0)
        count += members.count
    }

    mutating func delay(_ members: [Member], failures: Int, until moment: Duration) {
        delayed.append((moment, MembershipWork(members: members, failures: failures)))
        count += members.count
    }

    /// Returns how many members the next request may contain; nil if none may be requested now.
    mutating func ready(at now: Duration, upTo limit: Int) -> Int? {
        for place in delayed.indices.reversed() where delayed[place].moment <= now {
            let work = delayed.remove(at: place).work
            settleFirst()
            pieces.insert(work, at: 0)
        }
        return pieces.first.map { min(limit, $0.members.count - begun) }
    }

    /// Takes this many members, or the rest of the first item.
    mutating func take(_ wanted: Int) -> MembershipWork {
        let first = pieces[0]
        let end = min(begun + wanted, first.members.count)
        let work = MembershipWork(
            members: Array(first.members[begun..<end]),
            failures: first.failures
        )
        begun = end
        if begun == first.members.count {
            pieces.removeFirst()
            begun = 0
        }
        count -= work.members.count
        return work
    }

    /// Removes the members that were taken from the first item.
    private mutating func settleFirst() {
        guard begun > 0 else { return }
        pieces[0] = MembershipWork(
            members: Array(pieces[0].members[begun...]),
            failures: pieces[0].failures
        )
        begun = 0
    }
}
