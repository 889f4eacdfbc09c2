import CampaignModel
import Dispatch

/// Fingerprints in memory, divided into groups by their first bits.
///
/// Each group is in chunks, so that it grows without being copied. One core at a time adds
/// fingerprints; afterwards all cores may sort and read different groups.
///
/// A class, because it owns the memory.
final class FingerprintGroups: @unchecked Sendable {
    typealias Chunk = UnsafeMutablePointer<Fingerprint>

    /// The fingerprints of a group have these first bits in common.
    ///
    /// A group of a list of 30 million fits in a core's cache.
    static let bits = 10
    static let number = 1 << bits

    /// Fingerprints in a chunk: 8 KiB.
    private static let chunkSize = 512
    /// Chunks that are allocated together: 1 MiB.
    private static let slabSize = 128
    /// Groups that a core sorts one after the other.
    private static let groupsAtOnce = 16

    private(set) var count = 0
    private var slabs: [Chunk] = []
    /// The number of chunks of all slabs that are in use.
    private var used = 0
    private var chunks = [[Chunk]](repeating: [], count: number)
    /// The last chunk of each group; only those of groups with a chunk that is not full are valid.
    private let last: UnsafeMutablePointer<Chunk?>
    /// The number of fingerprints in each group.
    private let sizes: UnsafeMutablePointer<Int>

    init() {
        last = .allocate(capacity: Self.number)
        last.initialize(repeating: nil, count: Self.number)
        sizes = .allocate(capacity: Self.number)
        sizes.initialize(repeating: 0, count: Self.number)
    }

    deinit {
        for slab in slabs { slab.deallocate() }
        last.deallocate()
        sizes.deallocate()
    }

    static func group(of fingerprint: Fingerprint) -> Int {
        Int(truncatingIfNeeded: fingerprint.high &>> UInt64(64 - bits))
    }

    func size(ofGroup group: Int) -> Int { sizes[group] }

    func append(_ fingerprints: some Collection<Fingerprint>) {
        for fingerprint in fingerprints {
            let group = Self.group(of: fingerprint)
            let place = sizes[group] & (Self.chunkSize - 1)
            if place == 0 { addChunk(to: group) }
            last[group]?.advanced(by: place).initialize(to: fingerprint)
            sizes[group] &+= 1
        }
        count += fingerprints.count
    }

    private func addChunk(to group: Int) {
        let (slab, place) = used.quotientAndRemainder(dividingBy: Self.slabSize)
        if slab == slabs.count {
            slabs.append(.allocate(capacity: Self.slabSize * Self.chunkSize))
        }
        let chunk = slabs[slab] + place * Self.chunkSize
        used += 1
        chunks[group].append(chunk)
        last[group] = chunk
    }

    /// Removes all fingerprints, and keeps the memory for others.
    func removeAll() {
        (count, used) = (0, 0)
        for group in 0..<Self.number {
            chunks[group].removeAll(keepingCapacity: true)
            sizes[group] = 0
        }
    }

    /// Returns the fingerprints of some groups, one group after the other.
    func fingerprints(inGroups groups: Range<Int>) -> [Fingerprint] {
        let size = groups.reduce(0) { $0 + sizes[$1] }
        return Array(unsafeUninitializedCapacity: size) { buffer, initialized in
            for group in groups {
                for (chunk, size) in pieces(of: group) {
                    guard let start = buffer.baseAddress else { continue }
                    (start + initialized).initialize(from: chunk, count: size)
                    initialized += size
                }
            }
        }
    }

    /// The chunks of a group with their sizes.
    private func pieces(of group: Int) -> [(Chunk, size: Int)] {
        chunks[group].indices.map { index in
            (chunks[group][index], min(Self.chunkSize, sizes[group] - index * Self.chunkSize))
        }
    }

    // MARK: - Sorting

    /// Sorts each group on all cores, and passes it on.
    ///
    /// `body`: gets the number and the sorted fingerprints of a group; it is called on all cores.
    func sort(_ body: @Sendable (Int, [Fingerprint]) -> Void) {
        DispatchQueue.concurrentPerform(iterations: Self.number / Self.groupsAtOnce) { number in
            let first = number * Self.groupsAtOnce
            for group in first..<first + Self.groupsAtOnce { body(group, sort(group: group)) }
        }
    }

    private func sort(group: Int) -> [Fingerprint] {
        let sorted = fingerprints(inGroups: group..<group + 1).sortedByBits()
        var passed = 0
        sorted.withUnsafeBufferPointer { sorted in
            guard let start = sorted.baseAddress else { return }
            for (chunk, size) in pieces(of: group) {
                chunk.update(from: start + passed, count: size)
                passed += size
            }
        }
        return sorted
    }
}
