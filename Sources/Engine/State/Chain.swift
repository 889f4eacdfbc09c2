/// How far the history goes: how many entries its chain has, and the hash of the last.
///
/// Each hash covers the entry and the hash before it, so that this one is about all of them.
package struct ChainHead: Hashable, Sendable, CustomStringConvertible {
    package let count: Int64
    /// SHA-256 as 64 hexadecimal digits; of a chain without entries what the first one builds on.
    package let hash: String

    package init(count: Int64, hash: String) {
        self.count = count
        self.hash = hash
    }

    /// - Parameter text: As `description` has it.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int64(parts[0]), count >= 0,
            parts[1].utf8.count == 64, parts[1].allSatisfy(\.isHexDigit)
        else { return nil }
        self.init(count: count, hash: parts[1].lowercased())
    }

    package var description: String { "\(count)@\(hash)" }
}

/// Whether the history is what was written.
package struct ChainVerdict: Hashable, Sendable {
    package let head: ChainHead
    /// Runs up to this number are of formats that had no chain.
    package let runsBefore: Int64
    /// The first of them, by their run; those without a run come last.
    package let differences: [ChainDifference]
    /// How many there are in all.
    package let differenceCount: Int
    /// Every run that differs, as far as it can be said.
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

    /// The first run that is not what was written; nil where none of them can be named.
    package var firstRun: RunID? { differences.first?.run }
}

/// Something of the history that is not what was written.
package struct ChainDifference: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
        case run
        /// By its campaign, slot and revision.
        case sending(String)
        /// By its audience and topic.
        case membership(String)
        /// By its campaign; empty for everything.
        case pause(String)
        case resolution(String)
        /// An entry by its number.
        case entry(Int64)
        case serial
    }

    package enum Finding: Hashable, Sendable {
        /// It is there, and was never written.
        case added
        case gone
        case changed([ChangedValue])
        /// An entry that does not follow from the one before it: either was edited.
        case broken
    }

    /// Nil of what was done without a run.
    package let run: RunID?
    package let subject: Subject
    package let finding: Finding

    package init(run: RunID?, subject: Subject, finding: Finding) {
        self.run = run
        self.subject = subject
        self.finding = finding
    }
}

/// A column of a row with the value that was written, and the one that is there.
package struct ChangedValue: Hashable, Sendable {
    package let name: String
    /// Nil where there was none.
    package let written: String?
    package let found: String?

    package init(name: String, written: String?, found: String?) {
        self.name = name
        self.written = written
        self.found = found
    }
}
