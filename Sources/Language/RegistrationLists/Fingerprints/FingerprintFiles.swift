import CampaignModel
import Dispatch
import Synchronization
import SystemIO

/// The fingerprints of a long list: in the order of the list in a file without a name, and sorted.
///
/// A class, because all readers share the open file.
final class FingerprintFiles: Sendable {
    /// Fingerprints that are read at once: 1 MiB.
    private static let stretch = 1 << 16

    let count: Int
    private let ordered: File
    private let sorted: SortedFingerprints

    init(count: Int, ordered: consuming File, sorted: SortedFingerprints) {
        self.count = count
        self.ordered = ordered
        self.sorted = sorted
    }

    func first() -> Fingerprint? { ordered.fingerprints(in: 0..<min(1, count)).first }

    func inOrder() -> [Fingerprint] { ordered.fingerprints(in: 0..<count) }

    /// Returns the values of consecutive parts of the list, in order; `body` is called on all cores.
    func mapStretches<Value: Sendable>(
        _ body: @Sendable ([Fingerprint]) -> Value
    ) -> [Value] {
        let stretches = (count + Self.stretch - 1) / Self.stretch
        let values = Mutex([Value?](repeating: nil, count: stretches))
        DispatchQueue.concurrentPerform(iterations: stretches) { number in
            let start = number * Self.stretch
            let value = body(ordered.fingerprints(in: start..<min(start + Self.stretch, count)))
            values.withLock { $0[number] = value }
        }
        return values.withLock { $0.compactMap(\.self) }
    }

    /// Returns the fingerprints of some groups in ascending order.
    func sorted(inGroups groups: Range<Int>) -> [Fingerprint] {
        sorted.fingerprints(inGroups: groups)
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

    /// Reads fingerprints of a temporary file, which this process has written and no other one can
    /// open.
    ///
    /// If it cannot be read, the disk fails, as memory may fail.
    func fingerprints(in range: Range<Int>) -> [Fingerprint] {
        [Fingerprint](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            do throws(SystemError) {
                try read(
                    into: UnsafeMutableRawBufferPointer(buffer),
                    at: range.lowerBound * Self.fingerprintSize
                )
                initialized = range.count
            } catch {
                fatalError("a temporary file cannot be read: \(error.reason)")
            }
        }
    }

    private static var fingerprintSize: Int { MemoryLayout<Fingerprint>.stride }
}
