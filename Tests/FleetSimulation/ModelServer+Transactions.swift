import Fleet

extension ModelServer {
    /// Performs a transaction.
    ///
    /// `snapshot`: the tables when its first statement began.
    mutating func perform(
        _ transaction: FleetTransaction,
        at time: Int,
        snapshot: ModelDatabase?
    ) -> Result<FleetAnswer, TransactionFailure> {
        begin(at: time)
        let answer = answer(to: transaction, snapshot: snapshot)
        end()
        return answer
    }

    struct TransactionFailure: Error { let failure: FleetFailure }

    private static let fenced = Result<FleetAnswer, TransactionFailure>.failure(
        TransactionFailure(failure: .fenced)
    )

    private mutating func answer(
        to transaction: FleetTransaction,
        snapshot: ModelDatabase?
    ) -> Result<FleetAnswer, TransactionFailure> {
        switch transaction {
        case .register(let id, let isSynchronous):
            register(id, isSynchronous: isSynchronous)
            return .success(.registered(nextState))
        case .beat(let id): return .success(.beat(beat(id)))
        case .ask(let id, let request):
            guard let place = database.place(of: id) else { return Self.fenced }
            return .success(.asked(state, ask(place, request)))
        case .commit(let fence, let unitChanges, let returned):
            guard let place = pass(fence) else { return Self.fenced }
            change(worker: place) { $0.permits = max(0, $0.permits - returned) }
            let lost = unitChanges.filter { !make($0) }.map(\.unit)
            return .success(.committed(nextState, lost: lost))
        case .claim(let fence, let tokens):
            guard pass(fence) != nil else { return Self.fenced }
            let claims = claim(tokens, by: fence.worker, snapshot: snapshot)
            return .success(.claimed(nextState, claims))
        case .addLateAnswers(let fence, let answers):
            guard pass(fence) != nil else { return Self.fenced }
            let dropped = answers.count { !add($0) }
            return .success(.lateAnswersAdded(nextState, dropped: dropped))
        case .settle(let id, let tokens):
            let row = settle(id, tokens)
            return .success(.settled(nextState, row))
        case .restore(let fence, let units, let isLast):
            guard let taken = restore(fence, units, isLast: isLast) else { return Self.fenced }
            return .success(.restored(nextState, taken: taken))
        case .strikeOff(let fence, let target):
            guard pass(fence) != nil else { return Self.fenced }
            strikeOff(target)
            return .success(.struckOff(nextState))
        case .leave(let fence):
            guard let place = pass(fence) else { return Self.fenced }
            change(worker: place) { $0.isPresent = false }
            return .success(.left(nextState))
        case .takeWriter(let token, let former, let lease):
            let taken = takeWriter(token, former: former, lease: lease)
            return .success(.writer(state, taken))
        case .divide(let fence, let timeline, let grants, let terms):
            guard isCurrent(fence, database.writer.fence) else { return .success(.divided(nil)) }
            return .success(.divided(divide(grants, on: timeline, terms: terms)))
        case .readOmitted(let fence, let number):
            guard isCurrent(fence, database.writer.fence) else { return Self.fenced }
            let row = database.occurrences[number.number]
            return .success(.omitted(nextState, row.state == .left ? [] : row.omitted))
        case .cut(let fence, let number, let units):
            guard isCurrent(fence, database.writer.fence) else { return Self.fenced }
            cut(number, units)
            return .success(.cut(nextState))
        case .open(let fence, let number):
            guard isCurrent(fence, database.writer.fence) else { return Self.fenced }
            open(number)
            return .success(.opened(nextState))
        case .endWriter(let fence):
            guard isCurrent(fence, database.writer.fence) else { return Self.fenced }
            endWriter()
            return .success(.writerEnded(nextState))
        }
    }

    /// The state after the commit of the current transaction.
    private var nextState: ServerState { state(at: database.position + 1) }

    func isCurrent(_ fence: ClaimFence, _ row: ClaimFence) -> Bool {
        fault == .claimsWithoutLocks ? fence.epoch == row.epoch : fence == row
    }

    /// Checks the fence of a worker, and counts its commit.
    private mutating func pass(_ fence: WorkerFence) -> Int? {
        guard let place = database.place(of: fence.worker) else { return nil }
        let row = database.workers[place]
        guard row.incarnation == fence.incarnation, row.commits == fence.commits,
            fence.timeline.number == visibleTimeline, row.timeline == visibleTimeline
        else { return nil }
        change(worker: place) { $0.commits += 1 }
        return place
    }

    // MARK: - Workers

    private mutating func register(_ id: WorkerID, isSynchronous: Bool) {
        guard database.place(of: id) == nil else { return }
        let row = WorkerRow(
            id: id,
            isSynchronous: isSynchronous,
            timeline: visibleTimeline,
            leaseEnd: clock + LeaseTerms.lifetime.inNanoseconds,
            beat: clock
        )
        // A registration that arrives late adds a removed row again.
        change(.worker(database.formerPlace(of: id) ?? database.workers.count, row))
    }

    private mutating func beat(_ id: WorkerID) -> BeatAnswer {
        let clock = clock
        let timeline = visibleTimeline
        var straggler: WorkerID?
        for place in database.workers.indices where database.workers[place].isPresent {
            let row = database.workers[place]
            if row.id == id {
                change(worker: place) {
                    $0.leaseEnd = clock + LeaseTerms.lifetime.inNanoseconds
                    $0.beat = clock
                }
                continue
            }
            if abs(clock - row.beat) > LeaseTerms.suspicion.inNanoseconds, row.suspectOn == nil {
                change(worker: place) {
                    $0.suspectOn = timeline
                    $0.incarnation += 1
                }
            }
            if straggler == nil, row.timeline != timeline, row.isOver(at: clock), !row.isProvable {
                straggler = row.id
            }
        }
        let incarnation = database.place(of: id).map { database.workers[$0].incarnation }
        return BeatAnswer(server: state, incarnation: incarnation, straggler: straggler)
    }

    private mutating func ask(_ place: Int, _ request: SliceRequest) -> SliceAnswer {
        let now = now
        change(worker: place) {
            $0.request = request
            $0.requestTime = now
        }
        let row = database.workers[place]
        return SliceAnswer(
            number: row.granted,
            height: row.height,
            permits: row.permits,
            share: row.share,
            losses: visibleLosses(of: row),
            recalled: recalled
        )
    }

    private func visibleLosses(of row: WorkerRow) -> Int {
        fault == .hidesLosses ? 0 : row.losses
    }

    private mutating func settle(_ id: WorkerID, _ tokens: [ClaimToken]) -> SettledWorker? {
        guard let place = database.place(of: id) else { return nil }
        let wasSuspect = database.workers[place].suspectOn != nil
        if fault != .looksUpBySelect || wasSuspect {
            change(worker: place) {
                $0.incarnation += 1
                $0.suspectOn = nil
            }
        }
        let row = database.workers[place]
        var fences: [WorkUnitID: ClaimFence] = [:]
        var claims: [ClaimedUnit] = []
        for index in database.units.indices where !database.isFinished[index] {
            guard let unit = database.units[index], unit.owner == id else { continue }
            fences[unit.unit.id] = unit.fence
            if tokens.contains(unit.token) { claims.append(unit.claim()) }
        }
        return SettledWorker(
            incarnation: row.incarnation,
            commits: row.commits,
            confirmed: Timeline(row.timeline),
            wasSuspect: wasSuspect,
            permits: row.permits,
            losses: visibleLosses(of: row),
            units: fences,
            claims: claims
        )
    }
}

extension UnitRow {
    func claim() -> ClaimedUnit {
        ClaimedUnit(unit, fence: fence, mark: mark, records: records)
    }
}
