import Fleet

// What the writer does.
extension ModelServer {
    mutating func takeWriter(_ token: ClaimToken, former: ClaimFence?) -> ClaimFence? {
        var row = database.writer
        let isOwn = former.map { isCurrent($0, row.fence) } ?? false
        guard isOwn || WorkerRow.isOver(row.leaseEnd, at: clock) else { return nil }
        row.epoch += 1
        row.token = token
        row.leaseEnd = clock + LeaseTerms.writerLifetime.inNanoseconds
        change(.writer(row))
        return row.fence
    }

    mutating func divide(_ grants: [Grant], on timeline: Timeline?) -> DivisionAnswer {
        var writer = database.writer
        writer.leaseEnd = clock + LeaseTerms.writerLifetime.inNanoseconds
        change(.writer(writer))
        if fault == .returnsPermitsByTime { returnPermits() }
        let isConfirmed = isConfirmed
        let mayGrant = isConfirmed && timeline?.number == visibleTimeline
        for grant in grants {
            guard let place = database.place(of: grant.worker) else { continue }
            change(worker: place) {
                $0.granted = grant.number
                $0.height = grant.height
                $0.share = grant.share
                $0.permits += mayGrant ? grant.permits : 0
            }
        }
        let rows = database.workers.filter(\.isPresent)
        if isConfirmed { notes.append(.permits(sum: rows.reduce(0) { $0 + $1.permits })) }
        return DivisionAnswer(
            server: state,
            rows: rows.map { row in
                let isNew = now - row.requestTime < LeaseTerms.requestLifetime.inNanoseconds
                let request = isNew ? row.request : nil
                return DivisionAnswer.Row(row.id, permits: row.permits, request: request)
            },
            uncut: database.occurrences.filter(\.isUncut).map(\.known),
            isConfirmed: isConfirmed
        )
    }

    private mutating func returnPermits() {
        let clock = clock
        for place in database.workers.indices
        where database.workers[place].beat < clock - 6_000_000_000 {
            change(worker: place) { $0.permits = 0 }
        }
    }

    mutating func endWriter() {
        var row = database.writer
        row.leaseEnd = clock - 1
        change(.writer(row))
    }

    mutating func cut(_ number: OccurrenceNumber, _ units: [WorkUnit]) {
        var row = database.occurrences[number.number]
        guard row.state == .planned, isOf(row.uncut, units) || fault == .storesFormerDivision
        else { return }
        row.state = .stored
        change(.occurrence(number.number, row))
        for unit in units { change(.unit(unit.id.number, UnitRow(unit))) }
    }

    /// Whether units were divided after the occurrence was last entrusted.
    private func isOf(_ uncut: UncutOccurrence, _ units: [WorkUnit]) -> Bool {
        let numbers = uncut.firstUnit..<uncut.firstUnit + uncut.count
        return units.allSatisfy { numbers.contains($0.id.number) }
    }

    mutating func open(_ number: OccurrenceNumber) {
        var row = database.occurrences[number.number]
        guard row.state == .stored else { return }
        row.state = .open
        change(.occurrence(number.number, row))
        for var unit in database.units(of: number) {
            unit.isOpen = true
            change(.unit(unit.unit.id.number, unit))
        }
    }
}

extension OccurrenceRow {
    fileprivate var known: UncutOccurrence {
        UncutOccurrence(
            uncut.number,
            count: uncut.count,
            firstUnit: uncut.firstUnit,
            isStored: state == .stored
        )
    }
}
