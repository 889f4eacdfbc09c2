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
        let added = records.withLock { $0?.add(lines, of: block) ?? 0 }
        for _ in 0..<added { room.signal() }
        return true
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
    /// The number of the block that is added next, and the lines of later ones.
    private var next = 0
    private var waiting: [Int: TextLines] = [:]
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

    /// Adds the lines of a block after those of all earlier ones.
    ///
    /// Returns the number of blocks that no longer wait.
    mutating func add(_ lines: TextLines, of block: TextBlock) -> Int {
        if lines.isBroken { fail(.unusual) }
        if hasher.needsTexts {
            hasher.add(lines.rows, of: block.bytes, with: lines.fingerprints)
            return collect(lines)
        }
        waiting[block.number] = lines
        var count = 0
        while let lines = waiting.removeValue(forKey: next) {
            hasher.add(lines.fingerprints)
            count += collect(lines)
        }
        return count
    }

    private mutating func collect(_ lines: TextLines) -> Int {
        next += 1
        do throws(SystemError) {
            if fault == nil {
                try fingerprints.append(lines.fingerprints)
                keeper?.append(lines.packed)
            }
        } catch {
            fail(.temporaryFile(error))
        }
        return 1
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
