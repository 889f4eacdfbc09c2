/// What a division stores in the writer's row.
package struct WriterTerms: Hashable, Sendable {
    /// How long the lease of the writer lasts.
    package let lease: Duration
    /// How long slices may still count, also those of former writers; nil if the writer has not read that.
    package let rest: Duration?

    package init(lease: Duration = LeaseTerms.writerLifetime, rest: Duration? = nil) {
        self.lease = lease
        self.rest = rest
    }
}

/// The longest of the last times that a transaction took, with its answer.
struct RoundTrip: Sendable {
    private var longest = Duration.zero

    mutating func note(_ time: Duration) { longest = max(time, longest * 7 / 8) }

    /// A lease that does not end between two divisions, with another transaction between them.
    var lease: Duration {
        min(LeaseTerms.longestWriterLifetime, max(LeaseTerms.writerLifetime, longest * 3))
    }
}
