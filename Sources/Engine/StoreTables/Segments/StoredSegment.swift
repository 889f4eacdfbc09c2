package import State

/// A row of `membership_segments`.
package struct StoredSegment {
    /// The numbers are stored: they never change.
    package enum Level: Int, CaseIterable {
        /// The records of one transaction.
        case commit = 0
        /// The merged records of many transactions.
        case merged = 1
        /// All members at the time of a full merge.
        case whole = 2
        /// A full merge that is not complete.
        case unfinished = 3
    }

    package let id: Int64
    package let level: Level
    /// Number of records when it was written; only an estimate, because records may be erased.
    package let count: Int
    /// The segment into which an unfinished merge moves the records of this one.
    package let target: Int64?
    /// Nil unless it is unfinished.
    package let progress: MergeProgress?
}

/// The progress of a full merge, which moves one part of all fingerprints after the other.
package struct MergeProgress: Equatable {
    /// The bits of the parts.
    package let bits: Int
    /// Number of parts that have been moved.
    package let done: Int
    /// Pages up to this number are replaced.
    package let lastPage: Int64

    package var isComplete: Bool { done >= 1 << bits }

    /// The part that is moved next.
    package var next: FingerprintPart { FingerprintPart(number: done, bits: bits) }
}
