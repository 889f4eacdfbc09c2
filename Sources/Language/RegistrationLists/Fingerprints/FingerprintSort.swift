import CampaignModel
import Dispatch
import Synchronization
import SystemIO

/// Sorts different fingerprints in bounded memory.
///
/// If there are more than fit, those in memory are sorted and written to a file as a run, group after
/// group. The last ones stay in memory.
struct FingerprintSort: ~Copyable {
    /// Fingerprints that are held in memory: 512 MiB.
    static let standardLimit = 1 << 25

    private let folder: String
    private let limit: Int
    private var held = FingerprintGroups()
    private var file: FingerprintRunFile?
    private var runs: [FingerprintRun] = []

    /// - Parameters:
    ///   - folder: For a temporary file.
    ///   - limit: The maximum number of fingerprints in memory.
    init(folder: String, limit: Int = standardLimit) {
        self.folder = folder
        self.limit = limit
    }

    mutating func append(_ fingerprints: [Fingerprint]) throws(SystemError) {
        var rest = fingerprints[...]
        while held.count + rest.count > limit {
            let fitting = rest.prefix(limit - held.count)
            held.append(fitting)
            rest = rest.dropFirst(fitting.count)
            try writeRun()
        }
        held.append(rest)
    }

    private mutating func writeRun() throws(SystemError) {
        if file == nil { file = try FingerprintRunFile(folder: folder) }
        guard let file else { return }
        let run = FingerprintRun(of: held, at: runs.last?.end ?? 0)
        let problem = Mutex(SystemError?.none)
        held.sort { group, sorted in
            let failure = file.problem(writing: sorted, at: run.range(ofGroups: group..<group + 1))
            if let failure { problem.withLock { $0 = failure } }
        }
        if let problem = problem.withLock({ $0 }) { throw problem }
        runs.append(run)
        held.removeAll()
    }

    /// Returns nil if a fingerprint is repeated.
    consuming func finish() -> SortedFingerprints? {
        let isRepeated = Atomic(false)
        let areInMemory = runs.isEmpty
        held.sort { _, sorted in
            if areInMemory, sorted.hasNeighboursAlike {
                isRepeated.store(true, ordering: .relaxed)
            }
        }
        let sorted = SortedFingerprints(held: held, file: file, runs: runs)
        if !areInMemory {
            DispatchQueue.concurrentPerform(iterations: FingerprintGroups.number) { group in
                if sorted.fingerprints(inGroups: group..<group + 1).hasNeighboursAlike {
                    isRepeated.store(true, ordering: .relaxed)
                }
            }
        }
        return isRepeated.load(ordering: .relaxed) ? nil : sorted
    }
}

/// Sorted fingerprints that were written together.
struct FingerprintRun: Sendable {
    /// The number of fingerprints before the run.
    let start: Int
    /// The end of each group.
    let ends: [Int]

    init(of groups: FingerprintGroups, at start: Int) {
        self.start = start
        var end = start
        ends = (0..<FingerprintGroups.number).map { group in
            end += groups.size(ofGroup: group)
            return end
        }
    }

    var end: Int { ends.last ?? start }

    func range(ofGroups groups: Range<Int>) -> Range<Int> {
        guard !groups.isEmpty else { return start..<start }
        let first = groups.lowerBound == 0 ? start : ends[groups.lowerBound - 1]
        return first..<ends[groups.upperBound - 1]
    }
}

/// A file without a name that contains runs.
final class FingerprintRunFile: Sendable {
    private let file: File

    init(folder: String) throws(SystemError) {
        file = try File.unnamed(in: folder)
    }

    /// Returns why fingerprints could not be written.
    func problem(writing fingerprints: [Fingerprint], at range: Range<Int>) -> SystemError? {
        do throws(SystemError) {
            try file.write(fingerprints, at: range.lowerBound)
            return nil
        } catch {
            return error
        }
    }

    func read(_ range: Range<Int>) -> [Fingerprint] { file.fingerprints(in: range) }
}

/// Different fingerprints in ascending order: some of them in memory, the others in a file.
struct SortedFingerprints: Sendable {
    /// Each group is sorted.
    private let held: FingerprintGroups
    private let file: FingerprintRunFile?
    private let runs: [FingerprintRun]

    init(held: FingerprintGroups, file: FingerprintRunFile?, runs: [FingerprintRun]) {
        self.held = held
        self.file = file
        self.runs = runs
    }

    /// Returns the fingerprints of some groups in ascending order.
    func fingerprints(inGroups groups: Range<Int>) -> [Fingerprint] {
        let last = held.fingerprints(inGroups: groups)
        guard let file else { return last }
        let all = runs.flatMap { file.read($0.range(ofGroups: groups)) } + last
        return all.sortedByBits()
    }
}

extension [Fingerprint] {
    /// Whether two neighbours are the same.
    fileprivate var hasNeighboursAlike: Bool {
        guard var last = first else { return false }
        for fingerprint in dropFirst() {
            if fingerprint.high == last.high, fingerprint.low == last.low { return true }
            last = fingerprint
        }
        return false
    }
}
