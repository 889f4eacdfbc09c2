import Fleet

/// What a worker knows about the units that it claimed, beside its machine: their contents, the orders that
/// wait for these, and what is stored about answers.
struct FleetDesk: Sendable {
    enum Readiness: Sendable {
        /// The terms of this occurrence must be read first.
        case unknown(OccurrenceNumber)
        /// They are being read.
        case waiting
        /// The fleet no longer has the occurrence.
        case gone
        case known(WorkUnit, FleetTerms)
    }

    private enum Knowledge: Sendable {
        case waiting([SendOrder])
        case known(FleetTerms)
        case gone
    }

    private struct Claimed: Sendable {
        let unit: WorkUnit
        var source: RequestSource?
        var details: [Int: String] = [:]
        var messageIDs: [Int: String] = [:]
    }

    private var units: [WorkUnitID: Claimed] = [:]
    private var terms: [OccurrenceNumber: Knowledge] = [:]

    // MARK: Claims

    mutating func note(_ answer: FleetAnswer) {
        switch answer {
        case .claimed(_, let claims): add(claims)
        case .settled(_, let row?): add(row.claims)
        case .settled, .registered, .beat, .asked, .committed, .lateAnswersAdded, .restored,
            .struckOff, .left, .writer, .divided, .omitted, .cut, .opened, .writerEnded:
            break
        }
    }

    private mutating func add(_ claims: [ClaimedUnit]) {
        for claim in claims where units[claim.unit.id] == nil {
            units[claim.unit.id] = Claimed(unit: claim.unit)
        }
    }

    mutating func forget(_ unit: WorkUnitID) {
        guard let occurrence = units.removeValue(forKey: unit)?.unit.occurrence else { return }
        if !units.values.contains(where: { $0.unit.occurrence == occurrence }) {
            terms[occurrence] = nil
        }
    }

    /// The occurrences of some units, in order.
    func occurrences(of units: [WorkUnitID]) -> [OccurrenceNumber] {
        Set(units.compactMap { self.units[$0]?.unit.occurrence }).sorted()
    }

    // MARK: Orders

    /// An order of an occurrence that is not known waits for `learn`.
    mutating func readiness(of order: SendOrder) -> Readiness {
        guard let unit = units[order.unit]?.unit else { return .gone }
        switch terms[unit.occurrence] {
        case nil:
            terms[unit.occurrence] = .waiting([order])
            return .unknown(unit.occurrence)
        case .waiting(let orders):
            terms[unit.occurrence] = .waiting(orders + [order])
            return .waiting
        case .known(let terms): return .known(unit, terms)
        case .gone: return .gone
        }
    }

    /// Returns the orders that waited.
    mutating func learn(_ occurrence: OccurrenceNumber, _ learned: FleetTerms?) -> [SendOrder] {
        guard case .waiting(let orders) = terms[occurrence] else { return [] }
        terms[occurrence] = learned.map(Knowledge.known) ?? .gone
        return orders
    }

    /// Nil if the unit is forgotten, or if its occurrence is not known.
    func known(_ id: WorkUnitID) -> (unit: WorkUnit, terms: FleetTerms)? {
        guard let unit = units[id]?.unit, case .known(let terms) = terms[unit.occurrence] else {
            return nil
        }
        return (unit, terms)
    }

    /// A unit has a source of its own, because each source reads the list in order.
    mutating func source(of unit: WorkUnit, make: () -> RequestSource) -> RequestSource {
        if let source = units[unit.id]?.source { return source }
        let source = make()
        units[unit.id]?.source = source
        return source
    }

    /// Frees the rows of units that a transaction ends.
    ///
    /// The units themselves are remembered until a standby has the transaction.
    mutating func endReading(with transaction: FleetTransaction) {
        guard case .commit(_, let changes, _) = transaction else { return }
        for change in changes where change.ending != nil { units[change.unit]?.source = nil }
    }

    /// The results of an order of which nothing was sent.
    func unwritten(_ order: SendOrder) -> [FleetEvent] {
        order.requests.map { .sent(SendResult(.unwritten, to: $0, of: order)) }
    }

    // MARK: Notes

    mutating func note(_ verdict: FleetJudge.Verdict) {
        let (unit, request) = (verdict.result.unit, verdict.result.request)
        if let detail = verdict.detail { units[unit]?.details[request] = detail }
        if let id = verdict.messageID { units[unit]?.messageIDs[request] = id }
    }

    /// What is stored with a transaction.
    func notes(for transaction: FleetTransaction) -> [UnitNotes] {
        let changed: [WorkUnitID] =
            switch transaction {
            case .commit(_, let changes, _): changes.map(\.unit)
            case .addLateAnswers(_, let answers): Array(Set(answers.map(\.unit)))
            case .restore(_, let restored, _): restored.map(\.unit)
            case .register, .beat, .ask, .claim, .settle, .strikeOff, .leave, .takeWriter, .divide,
                .readOmitted, .cut, .open, .endWriter:
                []
            }
        return changed.compactMap { id in
            guard let claimed = units[id] else { return nil }
            let notes = UnitNotes(
                of: claimed.unit,
                details: claimed.details,
                messageIDs: claimed.messageIDs
            )
            return notes.isEmpty ? nil : notes
        }
    }
}
