import State
import StoreTables
import SystemIO

extension FlightRecord {
    /// Never 0, which marks a record that is being written.
    static func check(_ bytes: [UInt8]) -> UInt64 {
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
    func bytes(atMost limit: Int) -> [UInt8] {
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

    /// Nil if the file has no complete notes of the owner; `commits` is the number of the unit's
    /// records in the state.
    init?(at path: String, owner: FlightOwner, commits: Int) {
        guard
            let bytes = Self.contents(
                of: path,
                { (file: borrowing File) throws(SystemError) in
                    try file.readToEnd(limit: Self.largest)
                }
            )
        else { return nil }
        self.init(bytes, owner: owner, commits: commits)
    }

    /// Reads the notes of a short unit.
    init?(onShelfAt path: String, owner: FlightOwner, commits: Int) {
        let start = FlightShelf.start(of: owner.unit)
        let bytes = Self.contents(of: path) { (file: borrowing File) throws(SystemError) in
            try file.read(at: start, count: FlightLayout.least)
        }
        guard let bytes else { return nil }
        self.init(bytes, owner: owner, commits: commits)
    }

    private init?(_ bytes: [UInt8], owner: FlightOwner, commits: Int) {
        guard bytes.count >= FlightLayout.head, bytes.starts(with: owner.bytes) else { return nil }
        func number(at offset: Int) -> UInt64 {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        }
        // The last commit may or may not have reached the state.
        let last = number(at: FlightLayout.commits)
        let isCurrent = last == UInt64(commits) || last == UInt64(commits) + 1
        guard isCurrent, number(at: FlightLayout.isVoid) == 0 else { return nil }
        var records: [Int: FlightRecord] = [:]
        let room = (bytes.count - FlightLayout.head) / FlightLayout.slot
        guard let slots = Int(exactly: number(at: FlightLayout.count)), slots <= room else {
            return nil
        }
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

    private static func contents(
        of path: String,
        _ read: (borrowing File) throws(SystemError) -> [UInt8]
    ) -> [UInt8]? {
        do throws(SystemError) {
            let file = try File(path, for: .reading, options: [.refusingLinks, .withoutWaiting])
            let status = try file.status()
            guard status.isFile, status.linkCount == 1, status.owner == CurrentProcess.userID
            else { return nil }
            return try read(file)
        } catch {
            return nil
        }
    }
}
