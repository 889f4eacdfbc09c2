import Fleet

/// The row of a worker.
struct WorkerRow: Sendable {
    let id: WorkerID
    let isSynchronous: Bool
    var isPresent = true
    var incarnation = 1
    var commits = 0
    var timeline: Int
    /// By the server's clock, in nanoseconds.
    var leaseEnd: Int
    var beat: Int
    /// The timeline on which other workers missed its beats.
    var suspectOn: Int?
    var permits = 0
    /// The number of units that others have taken from it.
    var losses = 0
    var request: SliceRequest?
    var requestTime = 0
    var granted = 0
    var height = 0
    var share = Int.max

    /// Whether the worker cannot have sent anything that a failover lost.
    var isProvable: Bool { isSynchronous || suspectOn == timeline }

    /// Whether the lease ended; one that lasts too long was renewed before the clock jumped back.
    func isOver(at clock: Int) -> Bool { Self.isOver(leaseEnd, at: clock) }

    static func isOver(_ end: Int, at clock: Int) -> Bool {
        end < clock || end > clock + lifetime
    }

    private static let lifetime = LeaseTerms.lifetime.inNanoseconds
}

/// The row of a work unit, with its part of the outcome log.
struct UnitRow: Sendable {
    let unit: WorkUnit
    var isOpen = false
    var isFinished = false
    var owner: WorkerID?
    var epoch = 0
    var token = ClaimToken(0)
    var mark = 0
    /// Requests below this mark are possibly doubled.
    var doubledMark = 0
    /// The outcome of each attempt of each request, and the positions of their commits.
    var attempts: [[AttemptOutcome]]
    /// The number of message IDs of each request.
    var names: [UInt8]
    /// Whether a transaction that never ends keeps its lock.
    var isLocked = false
    /// Whether a recall finished it.
    var isWithdrawn = false
    /// Whether it is merged, so that a server no longer has the row.
    var isMerged = false

    init(_ unit: WorkUnit) {
        self.unit = unit
        attempts = Array(repeating: [], count: unit.count)
        names = Array(repeating: 0, count: unit.count)
    }

    var fence: ClaimFence { ClaimFence(epoch: epoch, token: token) }

    /// The requests that may have been sent and have no outcome.
    var unanswered: [Int] { (0..<mark).filter { attempts[$0].last == .released } }

    var records: [AttemptRecord] {
        var all: [AttemptRecord] = []
        for request in 0..<mark {
            for (index, outcome) in attempts[request].enumerated() {
                all.append(AttemptRecord(outcome, of: request, attempt: index + 1))
            }
        }
        return all
    }

    /// A recorded answer replaces `unknown`.
    mutating func merge(_ record: AttemptRecord) {
        while attempts[record.request].count < record.attempt {
            attempts[record.request].append(.released)
        }
        let index = record.attempt - 1
        attempts[record.request][index] = max(attempts[record.request][index], record.outcome)
    }

    mutating func raiseMark(to new: Int) {
        while mark < new {
            if !unit.omits(mark), attempts[mark].isEmpty { attempts[mark] = [.released] }
            mark += 1
        }
    }
}

/// The row of the writer.
struct WriterRow: Sendable {
    var epoch = 0
    var token = ClaimToken(0)
    var leaseEnd = 0
    /// The one of the last division.
    var timeline: Int?
    /// How long slices may count after that division.
    var rest = Duration.zero

    var fence: ClaimFence { ClaimFence(epoch: epoch, token: token) }
}

/// The committed rows of a server.
struct ModelDatabase: Sendable {
    var workers: [WorkerRow] = []
    private var places: [WorkerID: Int] = [:]
    private(set) var units: [UnitRow?]
    /// Whether each unit is finished; an index.
    private(set) var isFinished: [Bool]
    var occurrences: [OccurrenceRow]
    var writer = WriterRow()
    var position = 1

    init(occurrences: [OccurrenceRow], units: Int) {
        self.occurrences = occurrences
        self.units = Array(repeating: nil, count: units)
        isFinished = Array(repeating: false, count: units)
    }

    /// A changed row, as in the write-ahead log.
    enum Change: Sendable {
        case worker(Int, WorkerRow)
        case unit(Int, UnitRow)
        case occurrence(Int, OccurrenceRow)
        case writer(WriterRow)
    }

    /// The row of a unit that is divided and not merged.
    func unit(_ number: Int) -> UnitRow? {
        guard units.indices.contains(number), let row = units[number], !row.isMerged else {
            return nil
        }
        return row
    }

    /// The units of an occurrence that are not merged.
    func units(of number: OccurrenceNumber) -> [UnitRow] {
        units.indices.compactMap { index in
            guard let row = units[index], row.unit.occurrence == number, !row.isMerged else {
                return nil
            }
            return row
        }
    }

    /// The place of a worker that is in the table.
    func place(of id: WorkerID) -> Int? {
        guard let place = places[id], workers[place].isPresent else { return nil }
        return place
    }

    /// The place of a worker that is or was in the table.
    func formerPlace(of id: WorkerID) -> Int? { places[id] }

    mutating func apply(_ change: Change) {
        switch change {
        case .worker(let place, let row):
            if place == workers.count {
                workers.append(row)
                places[row.id] = place
            } else {
                workers[place] = row
            }
        case .unit(let index, let row):
            while units.count <= index {
                units.append(nil)
                isFinished.append(false)
            }
            units[index] = row
            isFinished[index] = row.isFinished
        case .occurrence(let index, let row): occurrences[index] = row
        case .writer(let row): writer = row
        }
    }
}
