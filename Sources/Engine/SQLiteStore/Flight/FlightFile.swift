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

    /// Creates the notes of a unit after `commits` records of it.
    init(
        at path: String,
        owner: FlightOwner,
        commits: Int,
        room: Int
    ) throws(SystemError) {
        FileSystem.remove(path)
        let slots = max(room, Self.leastRoom)
        let size = FlightLayout.head + slots * FlightLayout.slot
        let file = try MappedFile(creating: path, size: size)
        file.store(UInt64(slots), at: FlightLayout.count)
        file.store(UInt64(commits), at: FlightLayout.commits)
        file.store(owner.bytes, at: 0)
        table = Mutex(FlightTable(file, slots: slots))
    }

    private static let leastRoom = 16

    func note(_ event: FlightEvent, of request: Int) {
        table.withLock { $0.note(event, of: request) }
    }

    /// Notes that the unit's record number `number` is about to be committed.
    func willCommit(_ number: Int) {
        table.withLock { $0.file.store(UInt64(number), at: FlightLayout.commits) }
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
}

/// What the notes belong to: they mean nothing for another run, state or boot.
struct FlightOwner {
    let lineage: StateLineage
    let run: RunID
    let unit: UnitID
    /// The boot of this machine.
    let boot: String

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
    static let head = 4_096
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
}

/// The slots of a file of notes; each belongs to a request that was written.
private struct FlightTable: ~Copyable {
    let file: MappedFile
    private let slots: Int
    private var places: [Int: Place] = [:]
    private var free: [Int] = []
    /// The number of slots that were ever used.
    private var used = 0

    private struct Place {
        let slot: Int
        var cause: String?
    }

    init(_ file: consuming MappedFile, slots: Int) {
        self.file = file
        self.slots = slots
    }

    mutating func note(_ event: FlightEvent, of request: Int) {
        if var place = places[request] {
            if case .written(let cause?) = event { place.cause = cause }
            places[request] = place
            write(FlightRecord(event: event, cause: place.cause), to: place.slot)
        } else if case .written(let cause) = event {
            guard let slot = freeSlot() else { return void() }
            write(FlightRecord(event: event, cause: cause), to: slot)
            let start = FlightLayout.head + slot * FlightLayout.slot
            file.store(UInt64(request), at: start + FlightLayout.request)
            atomicMemoryFence(ordering: .sequentiallyConsistent)
            file.store(~UInt64(request), at: start + FlightLayout.mark)
            places[request] = Place(slot: slot, cause: cause)
        }
        // The caller writes to its socket next.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// Drops a request whose outcome is final.
    ///
    /// An unknown outcome is not final if the request was written again: its record may be older.
    mutating func drop(_ outcome: RequestOutcome) {
        guard let place = places[outcome.index] else { return }
        let isFinal = outcome.outcome != .unknown || place.cause == nil
        guard isFinal || outcome.detail.map({ OutcomeDetail(text: $0).cause != nil }) == true else {
            return
        }
        places[outcome.index] = nil
        let start = FlightLayout.head + place.slot * FlightLayout.slot
        file.store(0, at: start + FlightLayout.mark)
        free.append(place.slot)
    }

    mutating func void() {
        file.store(1, at: FlightLayout.isVoid)
    }

    private mutating func freeSlot() -> Int? {
        if let slot = free.popLast() { return slot }
        guard used < slots else { return nil }
        defer { used += 1 }
        return used
    }

    /// Writes a record so that a reader of a part of it finds a wrong checksum.
    private func write(_ record: FlightRecord, to slot: Int) {
        let start = FlightLayout.head + slot * FlightLayout.slot
        let bytes = record.bytes(atMost: FlightLayout.slot - FlightLayout.state)
        file.store(0, at: start + FlightLayout.check)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        file.store(bytes, at: start + FlightLayout.state)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        file.store(FlightRecord.check(bytes), at: start + FlightLayout.check)
    }
}

extension FlightRecord {
    /// Never 0, which marks a record that is being written.
    fileprivate static func check(_ bytes: [UInt8]) -> UInt64 {
        UInt64(bitPattern: Checksum.of(bytes)) | 1
    }

    private enum Kind: UInt8 {
        case written
        case answered
        case unsent
        case unanswered
    }

    /// Size of the numbers before the texts: kind, whether there is a cause, status, and the
    /// lengths of the cause and of the body or reason.
    private static let numbers = 8
    private static let longestCause = 128

    /// Its bytes in a slot; an answer that is too long stays unread.
    fileprivate func bytes(atMost limit: Int) -> [UInt8] {
        let causes = Array((cause ?? "").utf8.prefix(Self.longestCause))
        let room = limit - Self.numbers - causes.count
        var kind: Kind
        var status = 0
        var text: [UInt8] = []
        switch event {
        case .written: kind = .written
        case .unsent: kind = .unsent
        case .unanswered(let reason):
            kind = .unanswered
            text = Array(reason.utf8.prefix(room))
        case .answered(let number, let body):
            (kind, status) = (.answered, number)
            if body.count > room { kind = .written } else { text = body }
        }
        var bytes: [UInt8] = [kind.rawValue, cause == nil ? 0 : 1]
        for number in [status, causes.count, text.count] {
            bytes += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }
        return bytes + causes + text
    }

    /// Nil if the bytes are not a whole record with this checksum.
    fileprivate init?(_ bytes: ArraySlice<UInt8>, check: UInt64) {
        let bytes = Array(bytes)
        func number(at offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        let status = number(at: 2)
        let causeEnd = Self.numbers + number(at: 4)
        let end = causeEnd + number(at: 6)
        guard end <= bytes.count, let kind = Kind(rawValue: bytes[0]),
            Self.check(Array(bytes[..<end])) == check
        else { return nil }
        let causes = String(decoding: bytes[Self.numbers..<causeEnd], as: UTF8.self)
        let cause = bytes[1] == 0 ? nil : causes
        let text = Array(bytes[causeEnd..<end])
        let event: FlightEvent =
            switch kind {
            case .written: .written(repeatedAfter: cause)
            case .answered: .answered(status: status, body: text)
            case .unsent: .unsent
            case .unanswered: .unanswered(reason: String(decoding: text, as: UTF8.self))
            }
        self.init(event: event, cause: cause)
    }
}

/// The notes of a process that has ended.
struct FlightLog {
    let records: [Int: FlightRecord]

    /// Nil if the file is not the owner's, or not complete; `commits` is the number of the unit's
    /// records in the state.
    init?(at path: String, owner: FlightOwner, commits: Int) {
        guard let bytes = Self.contents(of: path), bytes.count >= FlightLayout.head,
            bytes.starts(with: owner.bytes)
        else { return nil }
        func number(at offset: Int) -> UInt64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        // The last commit may or may not have reached the state.
        let last = number(at: FlightLayout.commits)
        let isCurrent = last == UInt64(commits) || last == UInt64(commits) + 1
        guard isCurrent, number(at: FlightLayout.isVoid) == 0 else { return nil }
        var records: [Int: FlightRecord] = [:]
        let slots = (bytes.count - FlightLayout.head) / FlightLayout.slot
        guard number(at: FlightLayout.count) == UInt64(slots) else { return nil }
        for slot in 0..<slots {
            let start = FlightLayout.head + slot * FlightLayout.slot
            let request = number(at: start + FlightLayout.request)
            guard number(at: start + FlightLayout.mark) == ~request,
                let request = Int(exactly: request)
            else { continue }
            let record = FlightRecord(
                bytes[(start + FlightLayout.state)..<(start + FlightLayout.slot)],
                check: number(at: start + FlightLayout.check)
            )
            // The process ended while it noted the answer.
            records[request] =
                record ?? FlightRecord(event: .written(repeatedAfter: nil), cause: nil)
        }
        self.records = records
    }

    private static let largest = 1 << 30

    private static func contents(of path: String) -> [UInt8]? {
        do throws(SystemError) {
            let file = try File(path, for: .reading, options: [.refusingLinks, .withoutWaiting])
            let status = try file.status()
            guard status.isFile, status.linkCount == 1, status.owner == CurrentProcess.userID
            else { return nil }
            return try file.readToEnd(limit: largest)
        } catch {
            return nil
        }
    }
}
