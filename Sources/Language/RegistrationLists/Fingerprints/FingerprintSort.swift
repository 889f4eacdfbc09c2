import CampaignModel
import Dispatch
import FoundationEssentials
import Synchronization
import SystemIO

/// Fingerprints that were written to a file together.
struct FingerprintStretch: Sendable {
    /// The number of fingerprints before the first one.
    let start: Int
    let count: Int
    /// The number of fingerprints in each group.
    let sizes: [UInt32]

    init(_ fingerprints: [Fingerprint], at start: Int) {
        self.start = start
        count = fingerprints.count
        var sizes = [UInt32](repeating: 0, count: FingerprintFiles.groupCount)
        for fingerprint in fingerprints { sizes[FingerprintFiles.group(of: fingerprint)] += 1 }
        self.sizes = sizes
    }
}

/// Sorts the fingerprints of a file, on all cores and in bounded memory.
///
/// Each round holds as many groups as fit: it distributes their fingerprints to the groups, and then
/// sorts each group. The last round stays in memory, and the others are written to another file.
final class FingerprintSort: Sendable {
    private let ordered: File
    private let sorted: File
    private let stretches: [FingerprintStretch]
    /// The number of fingerprints in each group.
    private let sizes: [Int]
    private let state = Mutex(State())

    private struct State {
        var areDifferent = true
        var problem: SystemError?
    }

    /// Fingerprints in one round: 384 MiB.
    static let standardRoundSize = 3 << 23
    /// Groups that a core sorts together.
    private static let groupsAtOnce = 16

    private init(
        of ordered: consuming File,
        stretches: [FingerprintStretch],
        folder: String
    ) throws(SystemError) {
        self.ordered = ordered
        self.stretches = stretches
        sorted = try File.unnamed(in: folder)
        var sizes = [Int](repeating: 0, count: FingerprintFiles.groupCount)
        for stretch in stretches {
            for group in sizes.indices { sizes[group] += Int(stretch.sizes[group]) }
        }
        self.sizes = sizes
    }

    /// Sorts the fingerprints of a file; also returns whether they are different.
    ///
    /// `folder`: for the other file.
    static func sort(
        _ ordered: consuming File,
        stretches: [FingerprintStretch],
        roundSize: Int,
        folder: String
    ) throws(SystemError) -> (files: FingerprintFiles, areDifferent: Bool) {
        let sort = try FingerprintSort(of: ordered, stretches: stretches, folder: folder)
        let rounds = sort.rounds(of: roundSize)
        for round in rounds.dropLast() { sort.write(sort.perform(round)) }
        let last = sort.perform(rounds[rounds.count - 1])
        let state = sort.state.withLock { $0 }
        if let problem = state.problem { throw problem }
        let files = FingerprintFiles(
            ordered: try sort.ordered.duplicate(),
            sorted: SortedFingerprints(file: try sort.sorted.duplicate(), last: last),
            sizes: sort.sizes
        )
        return (files, state.areDifferent)
    }

    /// Only the first round may be small, because the last one stays in memory.
    private func rounds(of size: Int) -> [Range<Int>] {
        var rounds: [Range<Int>] = []
        var (end, held) = (sizes.count, 0)
        for group in sizes.indices.reversed() {
            if held > 0, held + sizes[group] > size {
                rounds.append(group + 1..<end)
                (end, held) = (group + 1, 0)
            }
            held += sizes[group]
        }
        return (rounds + [0..<end]).reversed()
    }

    private func perform(_ round: Range<Int>) -> HeldFingerprints {
        let held = HeldFingerprints(
            start: sizes[..<round.lowerBound].reduce(0, +),
            count: sizes[round].reduce(0, +)
        )
        distribute(round, to: held.memory)
        guard state.withLock({ $0.problem == nil }) else { return held }
        let starts = stride(from: round.lowerBound, to: round.upperBound, by: Self.groupsAtOnce)
        let parts = starts.map { $0..<min($0 + Self.groupsAtOnce, round.upperBound) }
        DispatchQueue.concurrentPerform(iterations: parts.count) { number in
            sort(parts[number], of: held)
        }
        return held
    }

    /// Sorts some groups in place.
    private func sort(_ part: Range<Int>, of held: HeldFingerprints) {
        let start = sizes[..<part.lowerBound].reduce(0, +) - held.start
        var place = start
        for group in part {
            let end = place + sizes[group]
            let memory = UnsafeMutableBufferPointer(rebasing: held.memory[place..<end])
            let sorted = UnsafeBufferPointer(memory).sortedByBits()
            _ = memory.update(fromContentsOf: sorted)
            place = end
        }
        if !UnsafeBufferPointer(rebasing: held.memory[start..<place]).hasNoRepetition {
            state.withLock { $0.areDifferent = false }
        }
    }

    private func write(_ held: HeldFingerprints) {
        guard state.withLock({ $0.problem == nil }) else { return }
        let failure = sorted.problem(writing: held)
        if let failure { state.withLock { $0.problem = failure } }
    }
}

// MARK: - Distributing

extension FingerprintSort {
    /// Each core distributes a part of the list, to its own places in each group.
    private func distribute(_ round: Range<Int>, to memory: UnsafeMutableBufferPointer<Fingerprint>)
    {
        let sections = sections()
        var places: [[Int]] = []
        var next = sizes[round].reduce(into: [Int]()) { $0.append(($0.last ?? 0) + $1) }
        next.insert(0, at: 0)
        for section in sections {
            places.append(next)
            for stretch in stretches[section] {
                for group in round { next[group - round.lowerBound] += Int(stretch.sizes[group]) }
            }
        }
        nonisolated(unsafe) let groups = memory
        let firsts = places
        DispatchQueue.concurrentPerform(iterations: sections.count) { number in
            var places = firsts[number]
            do throws(SystemError) {
                for stretch in stretches[sections[number]] {
                    let fingerprints = try ordered.readFingerprints(
                        at: stretch.start,
                        count: stretch.count
                    )
                    for fingerprint in fingerprints {
                        let group = FingerprintFiles.group(of: fingerprint)
                        guard round.contains(group) else { continue }
                        let place = places[group - round.lowerBound]
                        groups.initializeElement(at: place, to: fingerprint)
                        places[group - round.lowerBound] = place + 1
                    }
                }
            } catch {
                state.withLock { $0.problem = error }
            }
        }
    }

    /// Divides the stretches among the cores.
    private func sections() -> [Range<Int>] {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let total = stretches.reduce(0) { $0 + $1.count }
        var sections: [Range<Int>] = []
        var (start, passed) = (0, 0)
        for index in stretches.indices {
            passed += stretches[index].count
            guard passed * cores >= total * (sections.count + 1) else { continue }
            sections.append(start..<index + 1)
            start = index + 1
        }
        return sections
    }
}

extension UnsafeBufferPointer<Fingerprint> {
    /// Whether these sorted fingerprints are different.
    fileprivate var hasNoRepetition: Bool {
        guard var last = first else { return true }
        for fingerprint in dropFirst() {
            if fingerprint.high == last.high, fingerprint.low == last.low { return false }
            last = fingerprint
        }
        return true
    }
}
