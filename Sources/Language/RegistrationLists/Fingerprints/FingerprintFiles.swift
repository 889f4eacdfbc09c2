import CampaignModel
import Dispatch
import Synchronization
import SystemIO

/// The fingerprints of a long list: in the order of the list in a file without a name, and sorted.
///
/// A class, because all readers share the open files.
final class FingerprintFiles: Sendable {
    /// A group of fingerprints has these first bits in common, and fits in a core's cache.
    static let groupBits = 10
    static let groupCount = 1 << groupBits

    /// Fingerprints that are read at once: 1 MiB.
    private static let stretch = 1 << 16

    let count: Int
    private let ordered: File
    private let sorted: SortedFingerprints
    /// The end of each group among the sorted fingerprints.
    private let ends: [Int]

    /// `sizes`: the number of fingerprints in each group.
    init(ordered: consuming File, sorted: consuming SortedFingerprints, sizes: [Int]) {
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

    static func group(of fingerprint: Fingerprint) -> Int {
        Int(truncatingIfNeeded: fingerprint.high &>> UInt64(64 - groupBits))
    }

    func first() -> Fingerprint? { read(ordered, 0..<min(1, count)).first }

    func inOrder() -> [Fingerprint] { read(ordered, 0..<count) }

    /// Returns the values of consecutive parts of the list, in order; `body` is called on all cores.
    func mapStretches<Value: Sendable>(
        _ body: @Sendable ([Fingerprint]) -> Value
    ) -> [Value] {
        let stretches = (count + Self.stretch - 1) / Self.stretch
        let values = Mutex([Value?](repeating: nil, count: stretches))
        DispatchQueue.concurrentPerform(iterations: stretches) { number in
            let start = number * Self.stretch
            let value = body(read(ordered, start..<min(start + Self.stretch, count)))
            values.withLock { $0[number] = value }
        }
        return values.withLock { $0.compactMap(\.self) }
    }

    /// Returns the fingerprints of some groups in ascending order.
    func sorted(inGroups groups: Range<Int>) -> [Fingerprint] {
        guard !groups.isEmpty else { return [] }
        let start = groups.lowerBound == 0 ? 0 : ends[groups.lowerBound - 1]
        let range = start..<ends[groups.upperBound - 1]
        let held = sorted.last[range]
        let isHeld = held.count == range.count
        return isHeld ? held : read(sorted.file, start..<range.upperBound - held.count) + held
    }

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
}

/// Sorted fingerprints: the last ones in memory, and those before them in a file without a name.
struct SortedFingerprints: ~Copyable {
    let file: File
    let last: HeldFingerprints
}

/// Sorted fingerprints in memory.
///
/// A class, because it owns the memory. It is filled before it is shared, and never changes afterwards.
final class HeldFingerprints: @unchecked Sendable {
    /// The number of fingerprints before the first one.
    let start: Int
    let memory: UnsafeMutableBufferPointer<Fingerprint>

    init(start: Int, count: Int) {
        self.start = start
        memory = .allocate(capacity: count)
    }

    deinit { memory.deallocate() }

    /// Returns those of a range that are in memory.
    subscript(range: Range<Int>) -> [Fingerprint] {
        let held = range.clamped(to: start..<start + memory.count)
        return Array(memory[held.lowerBound - start..<held.upperBound - start])
    }
}

extension File {
    /// `start`: the number of fingerprints before the first one.
    func write(_ fingerprints: [Fingerprint], at start: Int) throws(SystemError) {
        let failure = fingerprints.withUnsafeBytes {
            problem(writing: $0, at: start * Self.fingerprintSize)
        }
        if let failure { throw failure }
    }

    /// Returns why fingerprints could not be written.
    func problem(writing held: HeldFingerprints) -> SystemError? {
        let bytes = UnsafeRawBufferPointer(held.memory)
        return problem(writing: bytes, at: held.start * Self.fingerprintSize)
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
