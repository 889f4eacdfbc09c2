import CampaignModel
import Dispatch
import Synchronization
import SystemIO

/// The fingerprints of a long list in two files without names: in the order of the list, and sorted.
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
    private let sorted: File
    /// The end of each group in the sorted file.
    private let ends: [Int]

    /// `sizes`: the number of fingerprints in each group.
    init(ordered: consuming File, sorted: consuming File, sizes: [Int]) {
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
        return read(sorted, start..<ends[groups.upperBound - 1])
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
