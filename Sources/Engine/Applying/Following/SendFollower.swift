package import CampaignModel
package import RegistrationLists
package import RunControl
package import State
package import Time

/// Follows sends that a service makes, from the state alone and without the lock.
package struct SendFollower: Sendable {
    private let store: any StateReader & Ledger & HistoryStore & ControlStore
    private let recorder: OccurrenceRecorder
    private let clock: WallClock
    private let stop: StopSignal
    private let report: @Sendable (ApplyEvent) -> Void

    /// The time between two looks at the state.
    private static let lookEvery = Duration.seconds(1)

    package init(
        store: any StateReader & Ledger & HistoryStore & ControlStore,
        fingerprinter: Fingerprinter,
        clock: WallClock,
        stop: StopSignal,
        report: @escaping @Sendable (ApplyEvent) -> Void
    ) {
        self.store = store
        recorder = OccurrenceRecorder(store: store, fingerprinter: fingerprinter)
        self.clock = clock
        self.stop = stop
        self.report = report
    }

    /// Returns the sends that an apply has handed over, and those of its campaigns that are in
    /// progress or due.
    ///
    /// A service may have ended the former already.
    package func openSends(
        of campaigns: Set<CampaignID>,
        in applied: ApplyReport?
    ) async throws(StateStoreError) -> [OccurrenceID] {
        let now = clock.now()
        let open = try await store.occurrences(.unsettled).filter { record in
            let isDue = record.status == .scheduled && record.due <= now
            return campaigns.contains(record.id.campaign)
                && (isDue || record.status == .dispatching)
        }.map(\.id)
        return Set(open + (applied?.handedOver ?? [])).sorted()
    }

    /// Returns the results when each send has ended or waits for something other than the service,
    /// or when the command is asked to stop.
    package func result(
        of sends: [OccurrenceID]
    ) async -> Result<ApplyReport, StateStoreError> {
        do throws(StateStoreError) {
            return .success(try await follow(sends))
        } catch {
            return .failure(error)
        }
    }

    /// - Returns: The results of whole occurrences. Those that have not ended are named as handed
    ///   over.
    private func follow(_ sends: [OccurrenceID]) async throws(StateStoreError) -> ApplyReport {
        var machine = FollowMachine(of: sends)
        var version: StateVersion?
        while !machine.isDone {
            let current = try await store.version()
            // What waits is confirmed by a second look at the same state.
            if current != version || machine.isUnsettled {
                for event in machine.receive(try await looks(at: machine.open)) { report(event) }
                version = current
            }
            guard !machine.isDone else { break }
            do throws(ApplyError) { try await stop.pause(for: Self.lookEvery) } catch { break }
        }
        return try await result(of: sends, in: machine)
    }

    private func looks(
        at sends: [OccurrenceID]
    ) async throws(StateStoreError) -> [OccurrenceID: FollowMachine.Look] {
        let pauses = Set(try await store.pauses().map(\.scope))
        let now = clock.now()
        var looks: [OccurrenceID: FollowMachine.Look] = [:]
        for id in sends {
            let scopes: [PauseScope] = [.everything, .campaign(id.campaign)]
            looks[id] = FollowMachine.Look(
                record: try await store.occurrence(id),
                pause: scopes.first(where: pauses.contains),
                now: now
            )
        }
        return looks
    }

    private func result(
        of sends: [OccurrenceID],
        in machine: FollowMachine
    ) async throws(StateStoreError) -> ApplyReport {
        var result = ApplyReport()
        for id in sends {
            let record = try await store.occurrence(id)
            switch machine.standing(of: id) {
            case .waiting, nil: result.handedOver.append(id)
            case .sending:
                result.handedOver.append(id)
                continue
            case .finished:
                if let unit = record?.unit, unit.tally[.expired] > 0 { result.expired.append(id) }
            case .expired: result.expired.append(id)
            case .cancelled: result.cancelled.append(id)
            case .held(let hold): result.heldByService.append(CheckedSend(id, hold: hold))
            case .stopped: result.stopped.append(id)
            case .paused(let scope):
                result.paused.append(PausedSend(occurrence: id, scope: scope))
            case .deferred(let end):
                let deferred = DeferredSend(
                    occurrence: id,
                    until: end,
                    isBetweenStages: record?.rollout?.since == end
                )
                result.deferred.append(deferred)
            }
            guard let record, let sent = try await recorder.report(onWhole: record) else {
                continue
            }
            result.sends.append(sent)
            report(.sent(sent))
        }
        return result
    }
}
