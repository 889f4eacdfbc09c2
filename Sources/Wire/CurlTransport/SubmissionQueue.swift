/// Submissions that wait for a connection, in first-in, first-out order.
struct SubmissionQueue {
    private var submissions: [Submission] = []
    /// The submissions before this index have left the queue.
    private var head = 0
    /// Never later than the earliest deadline in the queue; it may be that of a submission that has
    /// left.
    private(set) var nextExpiry: ContinuousClock.Instant?

    var count: Int { submissions.count - head }
    var isEmpty: Bool { head == submissions.count }

    mutating func append(_ submission: Submission) {
        submissions.append(submission)
        nextExpiry = min(nextExpiry ?? submission.deadline, submission.deadline)
    }

    /// The submission that `popFirst` takes next.
    var first: Submission? { head < submissions.count ? submissions[head] : nil }

    mutating func popFirst() -> Submission? {
        guard head < submissions.count else {
            self = SubmissionQueue()
            return nil
        }
        let submission = submissions[head]
        head += 1
        dropPassed()
        return submission
    }

    /// Removes the submissions with these ids.
    mutating func remove(_ ids: ClosedRange<SubmissionID>) -> [Submission] {
        remove { ids.contains($0.id) }
    }

    mutating func removeAll() -> [Submission] {
        defer { self = SubmissionQueue() }
        return Array(submissions[head...])
    }

    mutating func removeExpired(at now: ContinuousClock.Instant) -> [Submission] {
        guard let nextExpiry, nextExpiry <= now else { return [] }
        let expired = remove { $0.deadline <= now }
        self.nextExpiry = submissions[head...].lazy.map(\.deadline).min()
        return expired
    }

    private mutating func remove(where isWanted: (Submission) -> Bool) -> [Submission] {
        let waiting = submissions[head...]
        let removed = waiting.filter(isWanted)
        guard !removed.isEmpty else { return [] }
        submissions = waiting.filter { !isWanted($0) }
        head = 0
        return removed
    }

    /// Keeps the amortized cost of a pop constant and the memory proportional to the queue.
    private mutating func dropPassed() {
        guard head >= 64, head * 2 > submissions.count else { return }
        submissions.removeFirst(head)
        head = 0
    }
}
