import State

/// Members whose request is to be made, in one piece.
struct MembershipWork: Sendable {
    let members: [Member]
    /// How often in a row they got no answer.
    let failures: Int
}

/// Whom requests are still to be made for: who waits for his turn, and who waits for a moment.
struct MembershipQueue {
    private var pieces: [MembershipWork] = []
    /// How many of the first piece are gone.
    private var begun = 0
    private var delayed: [(moment: Duration, work: MembershipWork)] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// When the first of those who wait for a moment may go.
    var next: Duration? { delayed.map(\.moment).min() }

    mutating func append(_ members: [Member]) {
        guard !members.isEmpty else { return }
        pieces.append(MembershipWork(members: members, failures: 0))
        count += members.count
    }

    /// They go first.
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

    /// How many may go in one request now; nil where nobody may.
    mutating func ready(at now: Duration, upTo limit: Int) -> Int? {
        for place in delayed.indices.reversed() where delayed[place].moment <= now {
            let work = delayed.remove(at: place).work
            settleFirst()
            pieces.insert(work, at: 0)
        }
        return pieces.first.map { min(limit, $0.members.count - begun) }
    }

    /// So many, or all that are left of the first piece.
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

    /// Lets the first piece begin with who is left of it.
    private mutating func settleFirst() {
        guard begun > 0 else { return }
        pieces[0] = MembershipWork(
            members: Array(pieces[0].members[begun...]),
            failures: pieces[0].failures
        )
        begun = 0
    }
}
