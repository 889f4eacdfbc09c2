import CampaignModel
import State
import StoreTables
import Synchronization
import SystemIO

/// The notes about the requests of one unit, in a file that is mapped into memory.
///
/// A class, because the transport's threads and the store share it.
///
/// - Invariant: Between two calls, and at any instruction of a call, the file shows every request
///   that was written and has no recorded outcome.
final class FlightFile: FlightNotes {
    private let table: Mutex<FlightTable>

    /// Creates a file with the notes of a unit after `commits` records of it.
    convenience init(
        at path: String,
        owner: FlightOwner,
        commits: Int,
        room: Int
    ) throws(SystemError) {
        FileSystem.remove(path)
        let slots = max(room, FlightLayout.leastRoom)
        let memory = FlightMemory(
            try MappedFile(creating: path, size: FlightLayout.size(ofSlots: slots))
        )
        self.init(owner: owner, commits: commits, in: FlightTable(memory, at: 0, slots: slots))
    }

    /// `table`: without notes.
    init(owner: FlightOwner, commits: Int, in table: consuming FlightTable) {
        table.begin(owner: owner, commits: commits)
        self.table = Mutex(table)
    }

    func note(_ event: FlightEvent, of request: Int) {
        table.withLock { $0.note(event, of: request) }
    }

    /// Notes that the unit's record number `number` is about to be committed.
    func willCommit(_ number: Int) {
        table.withLock { $0.willCommit(number) }
    }

    /// Drops the notes about outcomes that are now durable.
    func didCommit(_ outcomes: [RequestOutcome]) {
        table.withLock { table in
            for outcome in outcomes { table.drop(outcome) }
        }
    }

    /// Declares the notes incomplete for good.
    func void() {
        table.withLock { $0.void() }
    }

    /// Makes room for the notes of another unit; later notes of this one have no effect.
    func close() {
        table.withLock { $0.close() }
    }
}

/// What the notes belong to: they mean nothing for another run, state or boot.
struct FlightOwner {
    let lineage: StateLineage
    let run: RunID
    let unit: UnitID
    /// The boot of this machine.
    let boot: String

    /// The owner of the notes of another unit of the same run.
    func of(_ unit: UnitID) -> FlightOwner {
        FlightOwner(lineage: lineage, run: run, unit: unit, boot: boot)
    }

    /// The first bytes of the file, up to the numbers.
    var bytes: [UInt8] {
        let text = """
            herald notes about requests, version 1
            lineage \(lineage)
            run \(run.number)
            unit \(unit.number)
            boot \(boot)

            """
        let bytes = Array(text.utf8)
        return bytes + Array(repeating: 0, count: max(0, FlightLayout.count - bytes.count))
    }
}

/// The places in the file of notes, in bytes.
enum FlightLayout {
    /// Size of the part before the first slot.
    static let head = 1_024
    static let count = 512
    /// The number of the unit's latest record that was about to be committed.
    static let commits = 520
    /// Not 0 if the notes are incomplete.
    static let isVoid = 528
    static let slot = 1_024

    /// In a slot: the request, and its complement if the slot is in use.
    static let request = 0
    static let mark = 8
    /// The checksum of the rest of the slot.
    static let check = 16
    static let state = 24

    /// The smallest number of slots, and the size of their notes: two pages.
    static let leastRoom = 7
    static let least = size(ofSlots: leastRoom)

    static func size(ofSlots slots: Int) -> Int { head + slots * slot }
}

/// The slots of the notes of a unit; each belongs to a request that was written.
struct FlightTable: ~Copyable {
    private let memory: FlightMemory
    /// The offset of the notes in the file.
    private let start: Int
    private let slots: Int
    private var isClosed = false
    private var places: [Int: Place] = [:]
    private var free: [Int] = []
    /// The number of slots that were ever used.
    private var used = 0

    private struct Place {
        let slot: Int
        var cause: String?
    }

    init(_ memory: FlightMemory, at start: Int, slots: Int) {
        self.memory = memory
        self.start = start
        self.slots = slots
    }

    /// Writes the head last, so that the notes of an earlier unit count for nothing before.
    func begin(owner: FlightOwner, commits: Int) {
        for slot in 0..<slots { store(0, at: offset(of: slot) + FlightLayout.mark) }
        store(UInt64(slots), at: FlightLayout.count)
        store(UInt64(commits), at: FlightLayout.commits)
        store(0, at: FlightLayout.isVoid)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        memory.file.store(owner.bytes, at: start)
    }

    mutating func close() {
        // Without the first bytes of the owner, the notes belong to no unit.
        store(0, at: 0)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        isClosed = true
    }

    func willCommit(_ number: Int) {
        guard !isClosed else { return }
        store(UInt64(number), at: FlightLayout.commits)
    }

    private func offset(of slot: Int) -> Int { FlightLayout.size(ofSlots: slot) }

    /// `offset`: from the beginning of the notes.
    private func store(_ number: UInt64, at offset: Int) {
        memory.file.store(number, at: start + offset)
    }

    mutating func note(_ event: FlightEvent, of request: Int) {
        guard !isClosed else { return }
        if var place = places[request] {
            if case .written(let cause?) = event { place.cause = cause }
            places[request] = place
            write(FlightRecord(event: event, cause: place.cause), to: place.slot)
        } else if case .written(let cause) = event {
            guard let slot = freeSlot() else { return void() }
            write(FlightRecord(event: event, cause: cause), to: slot)
            store(UInt64(request), at: offset(of: slot) + FlightLayout.request)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            store(~UInt64(request), at: offset(of: slot) + FlightLayout.mark)
            places[request] = Place(slot: slot, cause: cause)
        }
        // The caller writes to its socket next.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// Drops a request whose outcome is final.
    ///
    /// An unknown outcome is not final if the request was written again: its record may be older.
    mutating func drop(_ outcome: RequestOutcome) {
        guard !isClosed, let place = places[outcome.index] else { return }
        let isFinal = outcome.outcome != .unknown || place.cause == nil
        guard isFinal || outcome.detail.map({ OutcomeDetail(text: $0).cause != nil }) == true else {
            return
        }
        places[outcome.index] = nil
        store(0, at: offset(of: place.slot) + FlightLayout.mark)
        free.append(place.slot)
    }

    mutating func void() {
        guard !isClosed else { return }
        store(1, at: FlightLayout.isVoid)
    }

    private mutating func freeSlot() -> Int? {
        if let slot = free.popLast() { return slot }
        guard used < slots else { return nil }
        defer { used += 1 }
        return used
    }

    /// Writes a record so that a reader of a part of it finds a wrong checksum.
    private func write(_ record: FlightRecord, to slot: Int) {
        let offset = offset(of: slot)
        let bytes = record.bytes(atMost: FlightLayout.slot - FlightLayout.state)
        store(0, at: offset + FlightLayout.check)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        memory.file.store(bytes, at: start + offset + FlightLayout.state)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        store(FlightRecord.check(bytes), at: offset + FlightLayout.check)
    }
}
