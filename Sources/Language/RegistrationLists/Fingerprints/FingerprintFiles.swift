import CampaignModel
import FoundationEssentials
import SystemIO

/// The fingerprints of a long list in two files without names: in the order of the list, and sorted.
///
/// A class, because all readers share the open files.
final class FingerprintFiles: Sendable {
    /// A group of fingerprints has these first bits in common, and fits in a core's cache.
    static let groupBits = 10

    let count: Int
    private let ordered: File
    private let sorted: File
    /// The end of each group.
    private let ends: [Int]

    /// Fingerprints that all cores together hold while they are sorted: 256 MiB.
    private static let maximumHeld = 1 << 24
    /// Fingerprints that are read at once: 1 MiB.
    private static let stretch = 1 << 16

    private init(ordered: consuming File, sorted: consuming File, sizes: [Int]) {
        self.ordered = ordered
        self.sorted = sorted
        var (total, ends) = (0, sizes)
        for group in ends.indices {
            total += ends[group]
            ends[group] = total
        }
        count = total
        self.ends = ends
    }

    /// Sorts the fingerprints of a file on all cores; also returns whether they are different.
    ///
    /// `sizes`: the number of fingerprints in each group. `folder`: for the other file.
    static func sorting(
        _ ordered: consuming File,
        sizes: [Int],
        folder: String
    ) throws(SystemError) -> (files: FingerprintFiles, areDifferent: Bool) {
        let sorted = try File.unnamed(in: folder)
        let files = FingerprintFiles(ordered: ordered, sorted: sorted, sizes: sizes)
        let results = mapInParallel(batches(of: sizes), grain: 1) { batch in
            Result { () throws(SystemError) in try files.sort(batch) }
        }
        var areDifferent = true
        for result in results { areDifferent = try result.get() && areDifferent }
        return (files, areDifferent)
    }

    static func group(of fingerprint: Fingerprint) -> Int {
        Int(truncatingIfNeeded: fingerprint.high >> UInt64(64 - groupBits))
    }

    /// Divides the groups so that a core holds one batch of them.
    private static func batches(of sizes: [Int]) -> [Range<Int>] {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let total = sizes.reduce(0, +)
        let maximum = min(maximumHeld, total + cores) / cores
        var batches: [Range<Int>] = []
        var (start, held) = (0, 0)
        for group in sizes.indices {
            if held > 0, held + sizes[group] > maximum {
                batches.append(start..<group)
                (start, held) = (group, 0)
            }
            held += sizes[group]
        }
        batches.append(start..<sizes.count)
        return batches
    }

    func first() -> Fingerprint? { read(ordered, 0..<min(1, count)).first }

    func inOrder() -> [Fingerprint] { read(ordered, 0..<count) }

    /// Calls `body` with consecutive parts of the list, in order.
    func forEachStretch(_ body: ([Fingerprint]) -> Void) {
        for start in stride(from: 0, to: count, by: Self.stretch) {
            body(read(ordered, start..<min(start + Self.stretch, count)))
        }
    }

    /// Returns the fingerprints of some groups in ascending order.
    func sorted(inGroups groups: Range<Int>) -> [Fingerprint] { read(sorted, range(of: groups)) }

    /// This process has written the files, and no other one can open them.
    ///
    /// If one of them cannot be read, the disk fails, as memory may fail.
    private func read(_ file: borrowing File, _ range: Range<Int>) -> [Fingerprint] {
        do throws(SystemError) {
            return try file.readFingerprints(at: range.lowerBound, count: range.count)
        } catch {
            fatalError("a temporary file cannot be read: \(error.reason)")
        }
    }

    private func range(of groups: Range<Int>) -> Range<Int> {
        guard !groups.isEmpty else { return 0..<0 }
        return start(of: groups.lowerBound)..<ends[groups.upperBound - 1]
    }

    private func start(of group: Int) -> Int { group == 0 ? 0 : ends[group - 1] }
}

// MARK: - Sorting

extension FingerprintFiles {
    /// Writes the fingerprints of some groups; returns whether they are different.
    private func sort(_ batch: Range<Int>) throws(SystemError) -> Bool {
        let found = try fingerprints(of: batch)
        let first = start(of: batch.lowerBound)
        var areDifferent = true
        for group in batch {
            let range = start(of: group)..<ends[group]
            let sorted = found[range.lowerBound - first..<range.upperBound - first].sortedByBits()
            areDifferent = areDifferent && sorted.hasNoRepetition
            try self.sorted.write(sorted, at: range.lowerBound)
        }
        return areDifferent
    }

    /// Searches the ordered file for the fingerprints of some groups, and returns them grouped.
    private func fingerprints(of batch: Range<Int>) throws(SystemError) -> [Fingerprint] {
        let range = range(of: batch)
        var places = batch.map { start(of: $0) - range.lowerBound }
        var problem: SystemError?
        let found = [Fingerprint](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            do throws(SystemError) {
                for start in stride(from: 0, to: count, by: Self.stretch) {
                    let stretch = try ordered.readFingerprints(
                        at: start,
                        count: min(Self.stretch, count - start)
                    )
                    for fingerprint in stretch {
                        let group = Self.group(of: fingerprint)
                        guard batch.contains(group) else { continue }
                        let place = places[group - batch.lowerBound]
                        buffer.initializeElement(at: place, to: fingerprint)
                        places[group - batch.lowerBound] = place + 1
                    }
                }
                initialized = range.count
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
        return found
    }
}

extension [Fingerprint] {
    /// Whether the fingerprints of this sorted array are different.
    fileprivate var hasNoRepetition: Bool {
        guard var last = first else { return true }
        for fingerprint in dropFirst() {
            if fingerprint.high == last.high, fingerprint.low == last.low { return false }
            last = fingerprint
        }
        return true
    }
}

// MARK: - Files of fingerprints

extension File {
    /// `start`: the number of fingerprints before the first one.
    func write(_ fingerprints: [Fingerprint], at start: Int) throws(SystemError) {
        let failure = fingerprints.withUnsafeBytes {
            problem(writing: $0, at: start * Self.fingerprintSize)
        }
        if let failure { throw failure }
    }

    /// `start`: the number of fingerprints before the first one.
    func readFingerprints(at start: Int, count: Int) throws(SystemError) -> [Fingerprint] {
        var problem: SystemError?
        let fingerprints = [Fingerprint](unsafeUninitializedCapacity: count) {
            buffer,
            initialized in
            do throws(SystemError) {
                try read(
                    into: UnsafeMutableRawBufferPointer(buffer),
                    at: start * Self.fingerprintSize
                )
                initialized = count
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
        return fingerprints
    }

    private static var fingerprintSize: Int { MemoryLayout<Fingerprint>.stride }
}
