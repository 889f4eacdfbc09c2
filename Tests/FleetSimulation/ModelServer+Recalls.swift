import Fleet

// What the service does with occurrences of the fleet.
extension ModelServer {
    /// Whether workers give the units of an occurrence back.
    func isRecalled(_ row: OccurrenceRow) -> Bool {
        row.state != .left && (row.isRecalled || row.until.map { $0 <= clock } ?? false)
    }

    /// The occurrences whose units are given back.
    var recalled: Set<OccurrenceNumber> {
        guard fault != .hidesRecalls else { return [] }
        return Set(database.occurrences.filter(isRecalled).map(\.uncut.number))
    }

    mutating func recall(_ number: OccurrenceNumber, at time: Int) {
        begin(at: time)
        var row = database.occurrences[number.number]
        if row.state != .left, !row.isRecalled {
            row.isRecalled = true
            change(.occurrence(number.number, row))
        }
        end()
    }

    /// Finishes the units of an occurrence that no living worker has.
    ///
    /// Their released requests without an outcome become unknown.
    mutating func withdraw(_ number: OccurrenceNumber, _ token: ClaimToken, at time: Int) {
        begin(at: time)
        withdraw(number, token)
        end()
    }

    private mutating func withdraw(_ number: OccurrenceNumber, _ token: ClaimToken) {
        guard isConfirmed || fault == .withdrawsBeforeConfirmation else { return }
        for row in database.units(of: number) where !row.isFinished && !row.isLocked {
            guard !isLiving(row.owner) || fault == .withdrawsFromTheLiving else { continue }
            var row = makeUnknown(row)
            row.owner = nil
            row.isFinished = true
            row.isWithdrawn = true
            if fault != .withdrawsWithoutFence {
                row.epoch += 1
                row.token = token
            }
            change(.unit(row.unit.id.number, row))
            notes.append(.withdrawn(unit: row.unit.id.number))
        }
    }

    /// Merges at most this number of finished units into the record of their occurrence.
    private static let mergedUnits = 16

    /// Takes what the fleet has finished, and what it gave back if the occurrence is recalled.
    ///
    /// Returns the requests that are now recorded.
    @discardableResult
    mutating func collect(
        _ number: OccurrenceNumber,
        _ token: ClaimToken,
        at time: Int
    ) -> [Int: OccurrenceRow.Outcome] {
        begin(at: time)
        defer { end() }
        guard database.occurrences[number.number].state != .left else { return [:] }
        if isRecalled(database.occurrences[number.number]) {
            if removeUndivided(number) { return [:] }
            open(number)
            withdraw(number, token)
        }
        var recorded: [Int: OccurrenceRow.Outcome] = [:]
        for row in database.units(of: number).filter(\.isFinished).prefix(Self.mergedUnits) {
            merge(row, into: &recorded)
        }
        var row = database.occurrences[number.number]
        row.record.merge(recorded) { $1 }
        let isWhole = row.state == .open && database.units(of: number).isEmpty
        if isWhole { row.state = .left }
        if isWhole || !recorded.isEmpty { change(.occurrence(number.number, row)) }
        return recorded
    }

    /// Removes an occurrence that was not divided; returns false if it was.
    private mutating func removeUndivided(_ number: OccurrenceNumber) -> Bool {
        var row = database.occurrences[number.number]
        guard row.state == .planned else { return false }
        row.state = .left
        let omitted = Set(row.omitted)
        for request in 0..<row.uncut.count where !omitted.contains(request) {
            row.record[request] = .returned
        }
        change(.occurrence(number.number, row))
        return true
    }

    private mutating func merge(
        _ old: UnitRow,
        into record: inout [Int: OccurrenceRow.Outcome]
    ) {
        var row = old
        // The record has no released requests.
        for request in row.unanswered {
            row.attempts[request][row.attempts[request].count - 1] = .unknown
        }
        for request in 0..<row.unit.count where !row.unit.omits(request) {
            let last = row.attempts[request].last
            record[row.unit.first + request] = OccurrenceRow.Outcome(last)
        }
        row.isMerged = true
        change(.unit(row.unit.id.number, row))
    }

    /// Lets the fleet send requests of an occurrence that has left it.
    ///
    /// `firstUnit`: no unit with this number or a greater one was ever there. `suppressed`: the requests that
    /// are left out from now on.
    mutating func entrust(
        _ number: OccurrenceNumber,
        _ requests: [Int],
        firstUnit: Int,
        suppressed: [Int],
        at time: Int
    ) {
        begin(at: time)
        defer { end() }
        var row = database.occurrences[number.number]
        guard row.state == .left else { return }
        for request in suppressed { row.record[request] = .suppressed(at: time) }
        if let last = requests.last {
            let sent = Set(requests)
            row.uncut = UncutOccurrence(
                number,
                count: last + 1,
                firstUnit: firstUnit,
                isStored: false
            )
            row.omitted = (0...last).filter { !sent.contains($0) }
            row.state = .planned
            row.isHeld = false
            row.isRecalled = false
            row.until = nil
        }
        change(.occurrence(number.number, row))
    }
}
