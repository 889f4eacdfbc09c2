import Fleet

/// A primary server and its standby, at the level of committed transactions.
struct ModelServer: Sendable {
    struct Settings: Sendable {
        let isSynchronous: Bool
        /// How long a commit takes to the standby, in nanoseconds.
        let lag: Int
        let hasStandby: Bool
    }

    /// What the judge observes in the tables.
    enum Note: Sendable {
        /// An attempt has an outcome.
        case recorded(unit: Int, request: Int, attempt: Int, AttemptOutcome)
        /// A claim made requests of a former owner unknown.
        case takenOver(unit: Int, count: Int, permits: Int)
        case claimed(unit: Int, by: WorkerID)
        /// Requests below this mark are stored as possibly doubled.
        case named(unit: Int, mark: Int)
        /// An answer was dropped, because its unit is finished.
        case merged(unit: Int, request: Int, attempt: Int)
        /// A commit of its owner changed a unit.
        case changed(unit: Int)
        /// A recall finished a unit.
        case withdrawn(unit: Int)
        case permits(sum: Int)
        case deadlock
    }

    let settings: Settings
    let fault: FleetFault?
    var database: ModelDatabase
    private var standby: ModelDatabase
    private var log: [(time: Int, position: Int, changes: [ModelDatabase.Change])] = []
    private var logStart = 0
    private(set) var timeline = 1
    private var promotion = Int.min / 2
    /// Nothing reaches the standby that was committed at or after this time.
    var cutStart: Int?
    /// When the promoted server gets a standby; nothing reaches one before.
    private var standbyStart = Int.min
    /// The server's clock, compared with the time of the simulation.
    var clockOffset = 0
    /// The time of the current transaction.
    private(set) var now = 0
    private var changes: [ModelDatabase.Change] = []
    var notes: [Note] = []
    /// The accepted requests whose message IDs the current transaction has.
    var names: [WorkUnitID: Set<Int>] = [:]

    init(_ settings: Settings, database: ModelDatabase, fault: FleetFault?) {
        self.settings = settings
        self.fault = fault
        self.database = database
        standby = database
    }

    var clock: Int { now + clockOffset }

    /// What `pg_walfile_name` tells, or the last checkpoint.
    var visibleTimeline: Int {
        guard fault == .readsTimelineOfCheckpoint, now - promotion < 30_000_000_000 else {
            return timeline
        }
        return timeline - 1
    }

    var state: ServerState { state(at: database.position) }

    /// The state with a position that the present transaction reaches.
    func state(at position: Int) -> ServerState {
        ServerState(
            timeline: Timeline(visibleTimeline),
            position: LogPosition(position),
            safe: LogPosition(safe(at: position))
        )
    }

    /// What the standby has; nothing while it is expected to return.
    private func safe(at position: Int) -> Int {
        guard settings.hasStandby, fault != .ignoresStandby else { return .max }
        guard now < standbyStart else { return standby.position }
        return fault == .countsMissingStandby ? position : 0
    }

    mutating func change(_ change: ModelDatabase.Change) {
        database.apply(change)
        changes.append(change)
    }

    mutating func change(worker place: Int, _ body: (inout WorkerRow) -> Void) {
        var row = database.workers[place]
        body(&row)
        change(.worker(place, row))
    }

    // MARK: - Replication

    /// Sends the standby what has had the time to reach it.
    mutating func replicate(until time: Int) {
        guard settings.hasStandby else { return }
        while logStart < log.count {
            let entry = log[logStart]
            if max(entry.time, standbyStart) + settings.lag > time { break }
            if let cutStart, entry.time >= cutStart { break }
            for change in entry.changes { standby.apply(change) }
            standby.position = entry.position
            logStart += 1
        }
        if logStart > 1_000 {
            log.removeFirst(logStart)
            logStart = 0
        }
    }

    /// Whether a commit of this time waits for the standby for longer than its client.
    func isCutOff(at time: Int) -> Bool {
        time < standbyStart || cutStart.map { time >= $0 } ?? false
    }

    /// Continues as a former primary, of which nothing is replicated or observed.
    mutating func retire() {
        cutStart = .min
        notes = []
    }

    /// Promotes the standby; what it does not have is lost.
    ///
    /// `standbyStart`: when the promoted server gets a standby.
    mutating func failOver(at time: Int, standbyStart: Int = .min) {
        replicate(until: time)
        database = standby
        log = []
        logStart = 0
        timeline += 1
        promotion = time
        self.standbyStart = standbyStart
        cutStart = nil
    }

    mutating func begin(at time: Int) {
        now = time
        replicate(until: time)
        changes = []
    }

    mutating func end() {
        guard !changes.isEmpty else { return }
        database.position += 1
        log.append((now, database.position, changes))
    }
}
