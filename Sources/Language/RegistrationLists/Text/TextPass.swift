import CampaignModel
import Dispatch
import FoundationEssentials
import Synchronization
import SystemIO

/// A pass over text in blocks, which the cores read one after the other and check independently.
///
/// A class, because all cores share it.
final class TextPass: Sendable {
    private let fingerprinter: Fingerprinter
    private let keepsRows: Bool
    private let blocks: Mutex<TextBlocks>
    private let records: Mutex<TextRecords?>
    /// Lines that are not in the records yet, by the number of their block.
    private let waiting = Mutex<[Int: TextLines]>([:])
    /// Bounds the number of blocks that wait for an earlier one.
    private let room = DispatchSemaphore(value: 4 * cores)

    private static let cores = ProcessInfo.processInfo.activeProcessorCount

    init(
        over files: [ListFile],
        fingerprinter: Fingerprinter,
        into records: consuming TextRecords
    ) {
        self.fingerprinter = fingerprinter
        keepsRows = records.keepsRows
        blocks = Mutex(TextBlocks(of: files))
        self.records = Mutex(records)
    }

    func finish() throws(TextFault) -> (ListID, ListFingerprints) {
        // The text of the first rows is part of the content ID.
        var block = TextBlock()
        while records.withLock({ $0?.needTexts ?? false }), addBlock(&block) {}
        DispatchQueue.concurrentPerform(iterations: Self.cores) { _ in
            var block = TextBlock()
            while addBlock(&block) {}
        }
        // A core leaves its lines if another one holds the records, even to report a fault.
        _ = records.withLock { addWaiting(to: &$0) }
        guard let records = records.withLock({ $0.take() }) else { throw .unusual }
        return try records.finish()
    }

    /// Returns false at the end.
    ///
    /// `block`: memory that the blocks of a core have in common.
    private func addBlock(_ block: inout TextBlock) -> Bool {
        room.wait()
        guard readBlock(into: &block) else {
            room.signal()
            return false
        }
        let lines = TextLines(
            of: block.bytes,
            fingerprinter: fingerprinter,
            keepsRows: keepsRows
        )
        if lines.isBroken { blocks.withLock { $0.stop() } }
        if records.withLock({ $0?.needTexts ?? false }) {
            records.withLock { $0?.add(lines, of: block) }
            room.signal()
        } else {
            add(lines, of: block.number)
        }
        return true
    }

    /// Adds lines to the records after those of all earlier blocks.
    ///
    /// A core that finds another one adding leaves its lines to it, because adding takes longer than
    /// a core should wait. That one looks again after it has released the records, so no lines are
    /// left behind.
    private func add(_ lines: TextLines, of number: Int) {
        waiting.withLock { $0[number] = lines }
        while let next = records.withLockIfAvailable({ addWaiting(to: &$0) }) {
            guard waiting.withLock({ $0[next] != nil }) else { return }
        }
    }

    /// Returns the number of the next block.
    private func addWaiting(to records: inout TextRecords?) -> Int {
        while let next = records?.next,
            let lines = waiting.withLock({ $0.removeValue(forKey: next) })
        {
            records?.add(lines)
            room.signal()
        }
        return records?.next ?? 0
    }

    private func readBlock(into block: inout TextBlock) -> Bool {
        do throws(TextFault) {
            return try blocks.withLock { (blocks) throws(TextFault) in
                try blocks.next(into: &block)
            }
        } catch {
            blocks.withLock { $0.stop() }
            records.withLock { $0?.fail(error) }
            return false
        }
    }
}

/// What a pass has found so far.
struct TextRecords: ~Copyable {
    private var hasher: ListHasher
    private var fingerprints: FingerprintCollector
    /// The number of the block that is added next.
    private(set) var next = 0
    private var fault: TextFault?
    private let keeper: (any RowKeeper)?

    /// `keeper`: gets the rows.
    init(
        hasher: ListHasher,
        fingerprints: consuming FingerprintCollector,
        keeper: (any RowKeeper)?
    ) {
        self.hasher = hasher
        self.fingerprints = fingerprints
        self.keeper = keeper
    }

    var keepsRows: Bool { keeper != nil }

    /// Whether blocks must be added one after the other.
    var needTexts: Bool { hasher.needsTexts }

    mutating func fail(_ fault: TextFault) {
        self.fault = self.fault ?? fault
    }

    /// Adds the next block with its text.
    mutating func add(_ lines: TextLines, of block: TextBlock) {
        if lines.isBroken { fail(.unusual) }
        hasher.add(lines.rows, of: block.bytes, with: lines.fingerprints)
        collect(lines)
    }

    /// Adds the next block, whose text is not needed.
    mutating func add(_ lines: TextLines) {
        if lines.isBroken { fail(.unusual) }
        hasher.add(lines.fingerprints)
        collect(lines)
    }

    private mutating func collect(_ lines: TextLines) {
        next += 1
        do throws(SystemError) {
            if fault == nil {
                try fingerprints.append(lines.fingerprints)
                keeper?.append(lines.packed)
            }
        } catch {
            fail(.temporaryFile(error))
        }
    }

    consuming func finish() throws(TextFault) -> (ListID, ListFingerprints) {
        if let fault { throw fault }
        let id = hasher.finish()
        let collected: FingerprintCollector.Collected
        do throws(SystemError) { collected = try fingerprints.finish() } catch {
            throw .temporaryFile(error)
        }
        guard case .different(let found) = collected else { throw .unusual }
        return (id, found)
    }
}
