import CampaignMessages
import CampaignModel
import FCMClient
import HTTPTransport
import Planning
import RateControl
package import RegistrationLists
package import RunControl
import Scheduling
package import State
import Time

/// The stores of a dispatcher, one for each role.
package struct DispatchStores: Sendable {
    let ledger: any Ledger
    let reader: any StateReader
    let control: any ControlStore
    let deadRegistrations: any DeadRegistrationStore

    package init(
        ledger: any Ledger,
        reader: any StateReader,
        control: any ControlStore,
        deadRegistrations: any DeadRegistrationStore
    ) {
        self.ledger = ledger
        self.reader = reader
        self.control = control
        self.deadRegistrations = deadRegistrations
    }
}

/// Performs the commands of a `DispatchMachine` for one work unit, with real requests and records.
package struct Dispatcher: Sendable {
    let stores: DispatchStores
    let fingerprinter: Fingerprinter
    let paces: RunPaces
    let settings: RunSettings

    package init(
        stores: DispatchStores,
        fingerprinter: Fingerprinter,
        paces: RunPaces,
        settings: RunSettings
    ) {
        self.stores = stores
        self.fingerprinter = fingerprinter
        self.paces = paces
        self.settings = settings
    }

    /// The interval of checks for pauses.
    ///
    /// A recall counts on it: the last request leaves within a second.
    private static let lookEvery = Duration.milliseconds(250)
    /// Notes of repeated requests stay longer than their first outcome is open.
    private static let roomForRepeats = 2

    /// Follows what a former service entrusted to the fleet of this occurrence, if it did.
    ///
    /// `begin`: called before the first look, if it did.
    ///
    /// - Returns: Why workers stopped, `.complete` if they did not, and `.stopped` if this process is asked to
    ///   stop before; nil if the fleet did not have it.
    package func adopt(
        _ sending: ActiveOccurrence,
        from fleet: FleetHandover,
        begin: () -> Void
    ) async throws(StateStoreError) -> DispatchMachine.End? {
        guard let stored = try await fleet.ledger.terms(ofEntrusted: sending.unit.id) else {
            return nil
        }
        guard let terms = FleetTerms(stored: stored) else {
            throw .failed(
                path: "",
                reason:
                    "\(sending.occurrence) was entrusted to the fleet by another version of Herald"
            )
        }
        begin()
        var dispatch = FleetDispatch(sending, under: terms, to: fleet, by: self)
        return try await dispatch.adopt()
    }

    /// Sends an occurrence, or lets a fleet send it.
    package func dispatch(
        _ sending: ActiveOccurrence,
        through fleet: FleetHandover? = nil
    ) async throws(StateStoreError) -> DispatchResult {
        if let fleet, let terms = fleet.terms(for: sending) {
            var dispatch = FleetDispatch(sending, under: terms, to: fleet, by: self)
            return try await dispatch.perform()
        }
        let machine = machine(for: DispatchSubject(sending))
        let notes = try await stores.ledger
            .beginFlightNotes(
                of: sending.unit.id,
                room: min(sending.unit.count, Self.roomForRepeats * settings.open.unknown)
            )
        return try await drive(
            StartedDispatch(
                sending,
                machine: machine,
                at: paces.share { shared, _ in shared.join() },
                inbox: DispatchInbox(notes: notes)
            )
        )
    }

    /// Continues with an occurrence until it ends.
    package func drive(
        _ started: StartedDispatch
    ) async throws(StateStoreError) -> DispatchResult {
        let result = await withDiscardingTaskGroup { group in
            var drive = DispatchLoop(started, by: self)
            let result = await drive.run(&group)
            group.cancelAll()
            return result
        }
        let isRecorded = (try? result.get()) != nil
        paces.share { shared, _ in shared.leave(started.seat, isRecorded: isRecorded) }
        let dispatched = try result.get()
        await stores.ledger.endFlightNotes(of: started.sending.unit.id)
        return dispatched
    }

    /// Makes the machine of an occurrence.
    func machine(for subject: DispatchSubject) -> DispatchMachine {
        let left = max(0, subject.end.seconds(since: settings.clock.now()))
        return DispatchMachine(
            requests: subject.requests,
            mark: subject.mark,
            rules: DispatchMachine.Rules(
                open: settings.open,
                keepsNames: subject.keepsNames,
                keepsIDs: subject.keepsIDs,
                policy: subject.policy,
                expiry: paces.now + .seconds(left),
                backoff: settings.backoff,
                seed: .random(in: 0 ... .max)
            ),
            pace: paces.sends.pace,
            trial: subject.trial,
            rollout: subject.rollout
        )
    }

    /// Reads the pauses and the clock after `lookEvery`, unless the occurrence ends first.
    func lookForPause(of sending: ActiveOccurrence, inbox: DispatchInbox) async {
        try? await Task.sleep(for: Self.lookEvery)
        guard !Task.isCancelled else { return }
        do throws(StateStoreError) {
            let pauses = try await paces.pauses.current(in: stores.control, at: paces.now)
            let pause = pauses.pause(of: sending)
            let now = settings.clock.now()
            let isHeld = sending.hold?.interrupts(at: now) ?? false
            if sending.isOver(sending.dayEnd, at: now) { inbox.post(.event(.dayEnded)) }
            if sending.isOver(sending.night, at: now) { inbox.post(.event(.nightBegan)) }
            if try await isRolloutStopped(sending) { inbox.post(.event(.rolloutEnded)) }
            inbox.post(.looked(isPaused: pause != nil || isHeld))
        } catch {
            inbox.post(.failed(error))
        }
    }

    /// Whether a person ended the rollout, or another process stopped it.
    func isRolloutStopped(_ sending: ActiveOccurrence) async throws(StateStoreError) -> Bool {
        guard sending.rollout != nil else { return false }
        return try await stores.reader.occurrence(sending.occurrence)?.rollout?.isStopped ?? false
    }

    func send(
        _ numbers: [Int],
        from source: RequestSource,
        to inbox: DispatchInbox
    ) async {
        do throws(StateStoreError) {
            let requests = try await source.requests(numbers)
            await settings.transport.send(requests, to: inbox)
        } catch {
            inbox.post(.failed(error))
        }
    }

    func renew(_ inbox: DispatchInbox) async {
        do {
            try await settings.endpoint.bearer.renew()
            inbox.post(.event(.refreshed))
        } catch {
            inbox.post(.event(.notRefreshed(reason: error.reason)))
        }
    }

    func post(
        _ landing: DispatchInbox.TaskResult,
        to inbox: DispatchInbox,
        after time: Duration
    ) async {
        try? await Task.sleep(for: time)
        inbox.post(landing)
    }

    /// Wakes the loop, never early: the machine would treat an early wake-up as obsolete.
    func wake(_ inbox: DispatchInbox, at time: Duration) async {
        await paces.clock.sleep(until: time)
        inbox.post(.event(.woke))
    }

    func postStop(to inbox: DispatchInbox) async {
        await settings.stop.wait()
        inbox.post(.event(.stop))
    }
}

/// What a machine decides about.
struct DispatchSubject {
    /// The requests that may be sent.
    let requests: RequestRanges
    var mark = 0
    var keepsNames = false
    var keepsIDs = false
    let policy: SendPolicy
    let trial: WrongListDetector?
    var rollout: RolloutGuard?
    /// When the message expires.
    let end: Instant
}

extension DispatchSubject {
    init(_ sending: ActiveOccurrence) {
        self.init(
            requests: sending.skipped.without(from: sending.requests),
            mark: sending.unit.released,
            keepsNames: sending.unit.target.isFanOut,
            keepsIDs: sending.unit.keepsIDs,
            policy: sending.policy,
            trial: sending.trial,
            rollout: sending.rollout?.answers,
            end: sending.message.end(due: sending.due)
        )
    }
}

/// An occurrence that has its place among those of the run.
package struct StartedDispatch: Sendable {
    let sending: ActiveOccurrence
    let machine: DispatchMachine
    let seat: SharedSends.Seat
    /// The skipped requests without a recorded outcome.
    let skipped: SkippedRequests
    let objective: ObjectiveWatch?
    let inbox: DispatchInbox
    /// The commands that are not performed; nil if the machine has had no event.
    let commands: [DispatchMachine.Command]?

    /// Begins with an occurrence.
    init(
        _ sending: ActiveOccurrence,
        machine: DispatchMachine,
        at seat: SharedSends.Seat,
        inbox: DispatchInbox
    ) {
        self.sending = sending
        self.machine = machine
        self.seat = seat
        skipped = sending.skipped
        objective = ObjectiveWatch(of: sending)
        self.inbox = inbox
        commands = nil
    }

    /// Continues with an occurrence whose first requests were sent together with those of others.
    init(_ lane: ShortLane, performing commands: [DispatchMachine.Command]) {
        sending = lane.sending
        machine = lane.machine
        seat = lane.seat
        skipped = lane.skipped
        objective = lane.objective
        inbox = DispatchInbox(notes: lane.notes)
        self.commands = commands
    }
}
