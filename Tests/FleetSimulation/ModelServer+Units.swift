import Fleet

// What commits and late answers change in a unit.
extension ModelServer {
    /// Returns false if the claim is no longer current.
    mutating func make(_ new: UnitChange) -> Bool {
        guard var row = database.unit(new.unit.number), isCurrent(new.fence, row.fence) else {
            return false
        }
        for record in new.records {
            let isRepeat = record.outcome == .released
            if isRepeat, fault == .repeatsFromMemory { continue }
            row.merge(record)
            if !isRepeat { note(record, in: new.unit) }
            if hasName(record, in: new.unit), fault != .storesNamesApart {
                row.names[record.request] += 1
            }
        }
        if let mark = new.mark { row.raiseMark(to: mark) }
        switch new.ending {
        case .finished:
            row.isFinished = true
            row.owner = nil
        case .givenBack: row.owner = nil
        case nil: break
        }
        change(.unit(new.unit.number, row))
        notes.append(.changed(unit: new.unit.number))
        return true
    }

    /// Whether the transaction has the message ID of an accepted request.
    func hasName(_ record: AttemptRecord, in unit: WorkUnitID) -> Bool {
        record.outcome == .accepted && names[unit]?.contains(record.request) ?? false
    }

    /// Stores message IDs, as another connection does after the commit.
    mutating func storeNames(of changes: [UnitChange], at time: Int) {
        begin(at: time)
        for new in changes {
            guard var row = database.unit(new.unit.number) else { continue }
            for record in new.records where record.outcome == .accepted {
                row.names[record.request] += 1
            }
            change(.unit(new.unit.number, row))
        }
        end()
    }

    private mutating func note(_ record: AttemptRecord, in unit: WorkUnitID) {
        notes.append(
            .recorded(
                unit: unit.number,
                request: record.request,
                attempt: record.attempt,
                record.outcome
            )
        )
    }

    /// Returns false if the answer is dropped.
    mutating func add(_ late: LateAnswer) -> Bool {
        let record = late.record
        guard var row = database.unit(late.unit.number), !row.isFinished else {
            let unit = late.unit.number
            notes.append(.merged(unit: unit, request: record.request, attempt: record.attempt))
            return false
        }
        let attempts = row.attempts[record.request]
        if fault == .acceptsOutdatedAnswers {
            guard let last = attempts.last, last < .returned else { return false }
            row.attempts[record.request][attempts.count - 1] = record.outcome
        } else {
            guard attempts.count == record.attempt, let last = attempts.last,
                last == .unknown || last == .released && row.owner == nil
            else { return false }
            row.merge(record)
        }
        if hasName(record, in: late.unit) { row.names[record.request] += 1 }
        note(record, in: late.unit)
        change(.unit(late.unit.number, row))
        return true
    }
}
