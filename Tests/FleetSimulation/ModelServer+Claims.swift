import Fleet

extension ModelServer {
    /// Whether every worker has confirmed the timeline, or cannot have sent what was lost.
    var isConfirmed: Bool {
        let timeline = visibleTimeline
        return database.workers.allSatisfy {
            !$0.isPresent || $0.timeline == timeline || $0.isProvable
        }
    }

    mutating func claim(
        _ tokens: [ClaimToken],
        by worker: WorkerID,
        snapshot: ModelDatabase?
    ) -> [ClaimedUnit] {
        guard isConfirmed || fault == .claimsBeforeConfirmation else { return [] }
        var rest = tokens[...]
        var claims: [ClaimedUnit] = []
        var formers: [WorkerID] = []
        for index in database.units.indices where !database.isFinished[index] {
            guard let token = rest.first else { break }
            guard let row = database.units[index], row.owner != worker,
                mayClaim(row, snapshot?.unit(index))
            else {
                continue
            }
            rest.removeFirst()
            if let owner = row.owner { formers.append(owner) }
            claims.append(take(row, with: token, for: worker, snapshot: snapshot))
        }
        removeIdle()
        return claims
    }

    private func mayClaim(_ row: UnitRow, _ snapshot: UnitRow?) -> Bool {
        guard row.isOpen, !row.isFinished, !row.isLocked else { return false }
        var owner = row.owner
        if fault == .claimsWithoutLocks {
            guard let old = snapshot else { return false }
            owner = old.owner
        }
        guard !isLiving(owner) else { return false }
        let occurrence = database.occurrences[row.unit.occurrence.number]
        return !occurrence.isHeld && (!isRecalled(occurrence) || fault == .claimsIgnoreRecalls)
    }

    /// Whether the lease of a worker in the table has not ended.
    func isLiving(_ owner: WorkerID?) -> Bool {
        guard let owner, let place = database.place(of: owner) else { return false }
        return !database.workers[place].isOver(at: clock)
    }

    private mutating func take(
        _ old: UnitRow,
        with token: ClaimToken,
        for worker: WorkerID,
        snapshot: ModelDatabase?
    ) -> ClaimedUnit {
        let index = old.unit.id.number
        var row = makeUnknown(old)
        let seen = snapshot?.unit(index)
        row.owner = worker
        row.epoch = (fault == .claimsWithoutLocks ? seen?.epoch ?? row.epoch : row.epoch) + 1
        row.token = token
        change(.unit(index, row))
        notes.append(.claimed(unit: index, by: worker))
        guard fault == .takeoverReadsOldSnapshot, let seen else { return row.claim() }
        return row.claim(withLogOf: seen)
    }

    /// Records the released requests of a unit as unknown, and takes them and their permits from its owner.
    mutating func makeUnknown(_ old: UnitRow) -> UnitRow {
        let index = old.unit.id.number
        var row = old
        let unanswered = row.unanswered
        for request in unanswered {
            row.attempts[request][row.attempts[request].count - 1] = .unknown
            notes.append(
                .recorded(
                    unit: index,
                    request: request,
                    attempt: row.attempts[request].count,
                    .unknown
                )
            )
        }
        if let owner = row.owner, let place = database.place(of: owner) {
            let permits = database.workers[place].permits
            notes.append(.takenOver(unit: index, count: unanswered.count, permits: permits))
            change(worker: place) {
                $0.permits = max(0, $0.permits - unanswered.count)
                $0.losses += 1
            }
        }
        return row
    }

    /// Strikes off workers whose lease ended and which have no unit.
    private mutating func removeIdle() {
        let clock = clock
        for place in database.workers.indices {
            let row = database.workers[place]
            guard row.isPresent, row.isOver(at: clock) else { continue }
            let id = row.id
            let hasUnits = database.units.contains {
                $0.map { $0.owner == id && !$0.isFinished } ?? false
            }
            if !hasUnits { change(worker: place) { $0.isPresent = false } }
        }
    }

    // MARK: - Failover

    /// Nil if the fence is not current.
    mutating func restore(
        _ fence: WorkerFence,
        _ units: [RestoredUnit],
        isLast: Bool
    ) -> [WorkUnitID]? {
        guard let place = database.place(of: fence.worker),
            database.workers[place].incarnation == fence.incarnation,
            fence.timeline.number == visibleTimeline
        else { return nil }
        var taken: [WorkUnitID] = []
        var permits = 0
        for unit in units {
            guard !restore(unit, of: fence.worker) else {
                permits += unit.unanswered
                continue
            }
            guard unit.holding == .owned || unit.holding == .abandoned else { continue }
            taken.append(unit.unit)
            name(unit)
        }
        guard isLast else { return taken }
        freeForgotten(by: fence.worker, besides: units)
        change(worker: place) {
            $0.timeline = fence.timeline.number
            $0.commits = fence.commits
            $0.permits = permits
        }
        return taken
    }

    /// Stores that requests are possibly doubled, because the worker may crash before it reports that.
    private mutating func name(_ unit: RestoredUnit) {
        guard let row = database.unit(unit.unit.number) else { return }
        name(row, mark: unit.mark)
    }

    private mutating func name(_ old: UnitRow, mark: Int) {
        var row = old
        row.doubledMark = max(row.doubledMark, mark)
        change(.unit(row.unit.id.number, row))
        notes.append(.named(unit: row.unit.id.number, mark: mark))
    }

    /// Frees the units of a worker that it does not have; it has forgotten up to which request it sent them.
    private mutating func freeForgotten(by worker: WorkerID, besides units: [RestoredUnit]) {
        let kept = Set(units.filter { $0.holding == .owned }.map(\.fence))
        for index in database.units.indices where !database.isFinished[index] {
            guard var row = database.unit(index), row.owner == worker,
                !kept.contains(row.fence)
            else { continue }
            row.owner = nil
            name(row, mark: row.unit.count)
        }
    }

    /// Returns false if another worker has claimed it.
    private mutating func restore(_ unit: RestoredUnit, of worker: WorkerID) -> Bool {
        // A unit that is merged is not there.
        guard var row = database.unit(unit.unit.number) else {
            notes += unit.records.map {
                .merged(unit: unit.unit.number, request: $0.request, attempt: $0.attempt)
            }
            return true
        }
        let isMine = row.fence == unit.fence
        let isLater = unit.fence.epoch > row.epoch
        row.raiseMark(to: unit.mark)
        for record in unit.records { row.merge(record) }
        for record in unit.records where hasName(record, in: unit.unit) {
            row.names[record.request] = max(1, row.names[record.request])
        }
        if isMine || isLater {
            row.epoch = unit.fence.epoch
            row.token = unit.fence.token
            switch unit.holding {
            case .owned: if !row.isFinished { row.owner = worker }
            case .finished:
                row.isFinished = true
                row.owner = nil
            case .former, .abandoned: row.owner = nil
            }
        }
        change(.unit(unit.unit.number, row))
        return isMine || isLater
    }

    mutating func strikeOff(_ target: WorkerID) {
        guard let place = database.place(of: target) else { return }
        let row = database.workers[place]
        guard row.timeline != visibleTimeline, row.isOver(at: clock) else { return }
        change(worker: place) { $0.isPresent = false }
        guard !row.isProvable, fault != .strikesOffSilently else { return }
        for case let unit? in database.units where unit.isOpen && !unit.isFinished {
            if let owner = unit.owner, let place = database.place(of: owner),
                database.workers[place].timeline == visibleTimeline
            {
                continue
            }
            let index = unit.unit.occurrence.number
            var occurrence = database.occurrences[index]
            occurrence.isHeld = true
            change(.occurrence(index, occurrence))
        }
    }

    /// Keeps the locks of a transaction whose `COMMIT` never arrives.
    mutating func keepLocks(of changes: [UnitChange], at time: Int) {
        for new in changes {
            guard var row = database.unit(new.unit.number) else { continue }
            row.isLocked = true
            database.apply(.unit(new.unit.number, row))
        }
    }
}

extension UnitRow {
    /// What a takeover reads if its snapshot is older than its lock.
    fileprivate func claim(withLogOf old: UnitRow) -> ClaimedUnit {
        var seen = old
        seen.raiseMark(to: mark)
        for request in seen.unanswered {
            seen.attempts[request][seen.attempts[request].count - 1] = .unknown
        }
        return ClaimedUnit(unit, fence: fence, mark: mark, records: seen.records)
    }
}
