/// Decides when segments of a scope are merged.
///
/// The records of single commits are merged often and without their registrations. A full merge
/// rewrites all members in the order of their fingerprints and drops the others. It is so rare that
/// a registration is seldom written more than twice, and it proceeds in parts.
package enum SegmentPolicy {
    package enum Merge: Equatable {
        case commits
        /// The next part of a full merge, which may begin with it.
        case part
    }

    /// Number of segments of commits that are merged into one.
    package static let maximumCommits = 128
    /// Number of segments of commits that are merged at the end of a run.
    package static let manyCommits = 32
    /// Number of merged segments that begins a full merge: a search reads a chunk of each segment.
    package static let maximumMerged = 128
    /// Records in one part of a full merge, which is one transaction.
    package static let partSize = 65_536

    /// Returns the merge that is due after a commit.
    ///
    /// `counts`: the number of segments by level.
    package static func merge(after counts: [StoredSegment.Level: Int]) -> Merge? {
        if counts[.commit, default: 0] >= maximumCommits { return .commits }
        if counts[.unfinished] != nil || counts[.merged, default: 0] >= maximumMerged {
            return .part
        }
        return nil
    }

    /// Whether so many records concern no present member that a full merge is worth its time.
    package static func isWorthMerging(records: Int, members: Int) -> Bool {
        records - members > max(2 * partSize, members / 4)
    }
}
