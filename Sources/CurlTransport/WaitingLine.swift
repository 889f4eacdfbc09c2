/// Submissions that wait for a connection, first come first served.
struct WaitingLine {
    private var submissions: [SubmissionID: Submission] = [:]
    /// Also the ids of those that have left the line: `popFirst` skips them.
    private var order: [SubmissionID] = []
    private var head = 0
    /// Never later than the first deadline of the line; it may belong to one that has left.
    private(set) var nextExpiry: ContinuousClock.Instant?

    var isEmpty: Bool { submissions.isEmpty }

    mutating func append(_ submission: Submission) {
        submissions[submission.id] = submission
        order.append(submission.id)
        nextExpiry = min(nextExpiry ?? submission.deadline, submission.deadline)
    }

    /// The one that `popFirst` takes next.
    mutating func first() -> Submission? {
        while head < order.count {
            if let submission = submissions[order[head]] { return submission }
            head += 1
        }
        return nil
    }

    mutating func popFirst() -> Submission? {
        while head < order.count {
            let submission = submissions.removeValue(forKey: order[head])
            head += 1
            if let submission {
                dropPassedIDs()
                return submission
            }
        }
        self = WaitingLine()
        return nil
    }

    mutating func remove(_ id: SubmissionID) -> Submission? {
        submissions.removeValue(forKey: id)
    }

    mutating func removeAll() -> [Submission] {
        let all = submissions.values
        self = WaitingLine()
        return all.sorted { $0.id.number < $1.id.number }
    }

    mutating func removeExpired(at now: ContinuousClock.Instant) -> [Submission] {
        guard let nextExpiry, nextExpiry <= now else { return [] }
        let expired = submissions.values.filter { $0.deadline <= now }
        for submission in expired {
            submissions[submission.id] = nil
        }
        self.nextExpiry = submissions.values.lazy.map(\.deadline).min()
        return expired.sorted { $0.id.number < $1.id.number }
    }

    /// Keeps the cost of a pop constant on average and the memory in proportion to the line.
    private mutating func dropPassedIDs() {
        guard head >= 64, head * 2 > order.count else { return }
        order.removeFirst(head)
        head = 0
    }
}
