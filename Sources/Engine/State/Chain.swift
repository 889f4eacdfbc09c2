/// The length of the history's chain, and the hash of its last entry.
///
/// Each hash covers its entry and the previous hash, so the last hash covers the whole chain.
package struct ChainHead: Hashable, Sendable, CustomStringConvertible {
    package let count: Int64
    /// SHA-256 as 64 hexadecimal digits; for an empty chain, the value that the first entry builds
    /// on.
    package let hash: String

    package init(count: Int64, hash: String) {
        self.count = count
        self.hash = hash
    }

    /// - Parameter text: In the form of `description`.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int64(parts[0]), count >= 0,
            parts[1].utf8.count == 64, parts[1].allSatisfy(\.isHexDigit)
        else { return nil }
        self.init(count: count, hash: parts[1].lowercased())
    }

    package var description: String { "\(count)@\(hash)" }
}

/// Whether the history is unchanged.
package struct ChainVerdict: Hashable, Sendable {
    package let head: ChainHead
    /// Runs up to this number belong to formats without a chain.
    package let runsBefore: Int64
    /// The first differences, by run; those without a run are last.
    package let differences: [ChainDifference]
    /// The total number of differences.
    package let differenceCount: Int
    /// All runs known to differ.
    package let differingRuns: Set<RunID>

    package init(
        head: ChainHead,
        runsBefore: Int64 = 0,
        differences: [ChainDifference] = [],
        differenceCount: Int = 0,
        differingRuns: Set<RunID> = []
    ) {
        self.head = head
        self.runsBefore = runsBefore
        self.differences = differences
        self.differenceCount = differenceCount
        self.differingRuns = differingRuns
    }

    package var isIntact: Bool { differenceCount == 0 }

    /// The first run that differs; nil if no run can be named.
    package var firstRun: RunID? { differences.first?.run }
}

/// A part of the history that differs from the written one.
package struct ChainDifference: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case run
        /// By campaign, slot and revision.
        case sending(String)
        /// By audience and topic.
        case membership(String)
        /// By campaign; empty for everything.
        case pause(String)
        case resolution(String)
        /// An entry, by number.
        case entry(Int64)
        case serial
    }

    package enum Finding: Hashable, Sendable {
        /// It exists, but was never written.
        case added
        case gone
        case changed([ChangedValue])
        /// An entry that does not follow from the previous one: one of the two was edited.
        case broken
    }

    /// Nil for operations without a run.
    package let run: RunID?
    package let subject: Subject
    package let finding: Finding

    package init(run: RunID?, subject: Subject, finding: Finding) {
        self.run = run
        self.subject = subject
        self.finding = finding
    }
}

/// A column of a row, with the written value and the current one.
package struct ChangedValue: Hashable, Sendable {
    package let name: String
    /// Nil if there was none.
    package let written: String?
    package let found: String?

    package init(name: String, written: String?, found: String?) {
        self.name = name
        self.written = written
        self.found = found
    }
}
