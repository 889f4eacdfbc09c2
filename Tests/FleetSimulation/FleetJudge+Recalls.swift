import Fleet

// Judges recalls, and limits of a worker.
extension FleetJudge {
    /// What one process may start.
    struct Limit: Sendable {
        /// Nothing is started before this time.
        var end = 0
        var most = Int.max
        /// The requests without an answer.
        var open = 0
    }

    /// How long workers may start requests of an occurrence that is recalled.
    ///
    /// Each slice ends earlier than this after the answer with it, so that this also holds for a
    /// worker that is cut off.
    private static let noticing = 3_000_000_000

    mutating func recall(_ units: Range<Int>, at time: Int) {
        for unit in units where recalls[unit] == nil { recalls[unit] = time }
    }

    /// Forgets what a failover lost.
    mutating func keepRecalls(of database: ModelDatabase) {
        recalls = recalls.filter { unit, _ in
            guard let row = database.units.indices.contains(unit) ? database.units[unit] : nil
            else { return false }
            let occurrence = database.occurrences[row.unit.occurrence.number]
            return occurrence.isRecalled || row.isMerged
        }
        withdrawn = withdrawn.filter {
            database.units.indices.contains($0) && database.units[$0]?.isWithdrawn ?? false
        }
    }

    private func units(of occurrence: OccurrenceRow, in database: ModelDatabase) -> [UnitRow] {
        database.units.compactMap { row in
            row.flatMap { $0.unit.occurrence == occurrence.uncut.number ? $0 : nil }
        }
    }

    mutating func checkRecall(of unit: Int, at time: Int) {
        if let recall = recalls[unit], time > recall + Self.noticing {
            report("unit \(unit) is sent at \(time), recalled at \(recall)")
        }
        if rules.clockIsSteady, !hasFailedOver, withdrawn.contains(unit) {
            report("unit \(unit) is sent at \(time) after its withdrawal")
        }
    }

    // MARK: - Limits

    mutating func limit(_ process: Process, until end: Int, open: Int) {
        limits[process, default: Limit()].end = end
        limits[process, default: Limit()].most = open
    }

    mutating func answered(_ process: Process) { limits[process, default: Limit()].open -= 1 }

    mutating func checkLimit(_ count: Int, of process: Process, at time: Int) {
        var limit = limits[process] ?? Limit()
        limit.open += count
        limits[process] = limit
        if time < limit.end { report("a worker sends at \(time), and rests until \(limit.end)") }
        if limit.open > limit.most {
            report("\(limit.open) requests of a worker are open, and \(limit.most) may be")
        }
    }

    // MARK: - The end

    /// Compares what the service recorded with all units that an occurrence ever had.
    mutating func conclude(_ occurrence: OccurrenceRow, with database: ModelDatabase) {
        let units = units(of: occurrence, in: database)
        var sent: [Int: [UnitRow]] = [:]
        for row in units {
            for request in 0..<row.unit.count where !row.unit.omits(request) {
                sent[row.unit.first + request, default: []].append(row)
            }
        }
        for (request, rows) in sent.sorted(by: { $0.key < $1.key }) {
            check(request, of: occurrence, in: rows)
        }
    }

    private mutating func check(
        _ request: Int,
        of occurrence: OccurrenceRow,
        in rows: [UnitRow]
    ) {
        let name = "request \(request) of occurrence \(occurrence.uncut.number.number)"
        let lasts = rows.map { $0.attempts[request - $0.unit.first].last }
        let former = lasts.dropLast().compactMap { $0 }
        if !former.allSatisfy(\.isRepeatable) { report("\(name) is entrusted again: \(lasts)") }
        guard occurrence.state == .left else { return }
        switch occurrence.record[request] {
        case .accepted: check(lasts, are: .accepted, name)
        case .rejected: check(lasts, are: .rejected, name)
        case .unknown: check(lasts, are: .unknown, name)
        case .suppressed(let time): checkSuppressed(request, in: rows, since: time, name)
        case .returned, nil: report("\(name) is lost: \(lasts)")
        }
    }

    private mutating func check(
        _ lasts: [AttemptOutcome?],
        are outcome: AttemptOutcome,
        _ name: String
    ) {
        if lasts.last != outcome { report("\(name) is recorded as \(outcome): \(lasts)") }
    }

    private mutating func checkSuppressed(
        _ request: Int,
        in rows: [UnitRow],
        since time: Int,
        _ name: String
    ) {
        for row in rows {
            let place = Place(unit: row.unit.id.number, request: request - row.unit.first)
            if departures[place]?.contains(where: { $0.time > time }) ?? false {
                report("\(name) is sent after it was left out")
            }
        }
    }
}
