import Fleet

// What the writer does.
extension ModelServer {
    mutating func takeWriter(
        _ token: ClaimToken,
        former: ClaimFence?,
        lease: Duration
    ) -> ClaimFence? {
        var row = database.writer
        let isOwn = former.map { isCurrent($0, row.fence) } ?? false
        guard isOwn || WorkerRow.isOver(row.leaseEnd, at: clock) else { return nil }
        row.epoch += 1
        row.token = token
        row.leaseEnd = clock + lease.inNanoseconds
        change(.writer(row))
        return row.fence
    }

    mutating func divide(
        _ grants: [Grant],
        on timeline: Timeline?,
        terms: WriterTerms
    ) -> DivisionAnswer {
        var writer = database.writer
        let rest = rest(of: writer, known: nil)
        let newRest = self.rest(of: writer, known: terms.rest)
        writer.leaseEnd = clock + terms.lease.inNanoseconds
        writer.timeline = visibleTimeline
        writer.rest = newRest
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
                DivisionAnswer.Row(row.id, permits: row.permits, request: request(of: row))
            },
            uncut: database.occurrences.filter(\.isUncut).map(\.known),
            isConfirmed: isConfirmed,
            rest: fault == .forgetsOldSlices ? .zero : rest
        )
    }

    /// How long slices may count; a failover may have lost divisions.
    private func rest(of row: WriterRow, known: Duration?) -> Duration {
        let isLost = row.timeline.map { $0 != visibleTimeline } ?? false
        return max(known ?? row.rest, isLost ? LeaseTerms.lostSlices : .zero)
    }

    /// The request of a worker that asked lately.
    private func request(of row: WorkerRow) -> SliceRequest? {
        guard let request = row.request,
            now - row.requestTime < request.validity.inNanoseconds * 3 / 4
        else { return nil }
        guard fault == .forgetsOldSlices else { return request }
        return SliceRequest(
            number: request.number,
            wanted: request.wanted,
            isThrottled: request.isThrottled,
            validity: .zero
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
