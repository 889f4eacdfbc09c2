import Applying
import CampaignModel
import Planning
import Presentation
import RateControl
import RegistrationLists
import RunControl
import Sending
import State
import Time

/// Reads a list, checks its registrations with FCM and releases the held sends that this covers.
struct ListCheck {
    let arguments: CheckCommand
    let session: Session
    /// The project without the contents of its lists.
    let target: PlanningTarget

    /// How long open requests may take after Ctrl-C, in seconds.
    private static let drainLimit = 6

    /// Returns the report, and the released sends or why they are not released.
    func perform(
        _ named: NamedList
    ) async throws(CommandFailure) -> (SweepReport, Result<[OccurrenceID], CommandFailure>) {
        try await target.refuseOtherProject()
        let places = try session.readSources(of: [named.list], in: target.project)
        let fingerprints = try survey(named, in: places)
        let list = SweptList(named.list, fingerprints: fingerprints, dead: try await dead())
        let report = try await list.checked == 0 ? list.reportOfNothing : sweep(list, in: places)
        do throws(CommandFailure) {
            return (report, .success(try await release(after: report, of: fingerprints)))
        } catch {
            return (report, .failure(error))
        }
    }

    private func dead() async throws(CommandFailure) -> DeadRegistrations {
        try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.deadRegistrations()
        }
    }

    /// Reads the whole list first, so that nothing is requested if a row is broken.
    private func survey(
        _ named: NamedList,
        in places: ProjectLists
    ) throws(CommandFailure) -> [Fingerprint] {
        let surveys = ListSurveys(
            of: [named.list],
            directory: places,
            fingerprinter: target.checked.fingerprinter,
            bounds: named.isFromProject ? session.trust.bounds : nil,
            zones: target.zones
        )
        if named.isFromProject {
            let leaves = named.list.leaves.compactMap { $0.place(in: places.listDirectory) }
            session.trust.noteUse(of: leaves)
        }
        switch surveys[named.list] {
        case .success(let survey)?: return survey.fingerprints.inOrder()
        case .failure(.sourceNotRead(let source))?:
            throw CommandFailure(.untrustedSources([source.rawValue]), exit: .refusedByGuard)
        case .failure(let error)?: throw CommandFailure(ErrorText(error), exit: .invalidFiles)
        case nil: preconditionFailure("the list was not surveyed")
        }
    }
}

// MARK: - Requests

extension ListCheck {
    private func sweep(
        _ list: SweptList,
        in places: ProjectLists
    ) async throws(CommandFailure) -> SweepReport {
        let traffic = try await traffic()
        announce(list, traffic: traffic)
        let server = try await EndpointServer.reach(
            EndpointServer.Target(
                target.environment,
                of: target.project,
                open: traffic.open,
                allowsAnyServer: arguments.server.allowsAnyServer
            ),
            in: session
        )
        let stop = StopSignal()
        let signals = InterruptHandler(stop, says: .applying)
        let progress = ProgressReporter(
            options: session.options,
            context: session.context,
            isVerbose: arguments.verbosity.verbose
        )
        let fingerprinter = target.checked.fingerprinter
        let sweep = RegistrationSweep(
            settings: RunSettings(
                transport: progress.watching(server.transport, with: fingerprinter),
                endpoint: server.endpoint,
                clock: session.clock,
                stop: stop,
                drainLimit: .seconds(Self.drainLimit),
                open: server.open,
                report: progress.show
            ),
            fingerprinter: fingerprinter,
            places: places
        )
        let budget = PaceBudget.sends(traffic.pace)
            .after(traffic.sustained(.sends, at: session.clock.now()))
        let result = await progress.accompany { await perform(sweep, of: list, within: budget) }
        signals.cancel()
        await server.stop()
        do {
            return try result.get()
        } catch {
            throw CommandFailure(error, in: .check)
        }
    }

    private func perform(
        _ sweep: RegistrationSweep,
        of list: SweptList,
        within budget: PaceBudget
    ) async -> Result<SweepReport, ApplyError> {
        let recorder = SweepRecorder(
            store: target.store,
            worker: worker,
            clock: session.clock,
            patience: .seconds(arguments.lockOptions.timeout)
        )
        do throws(ApplyError) {
            return .success(
                try await sweep.perform(list, within: budget, recordingWith: recorder)
            )
        } catch {
            return .failure(error)
        }
    }

    private var worker: Worker {
        Worker.this(
            command: "herald registrations check",
            since: session.clock.now(),
            bypasses: arguments.server.bypasses
        )
        .noting(session.trust)
    }

    /// The share of the quota, and what earlier runs measured.
    private func traffic() async throws(CommandFailure) -> PlannedTraffic {
        let measurements = try await mapStateErrors { () async throws(StateStoreError) in
            try await target.store.traffic()
        }
        return PlannedTraffic(
            pace: target.environment.pace.sending(arguments.share.percentage),
            open: OpenLimit(unknown: target.environment.settings.maximumUnknown),
            measurements: measurements,
            now: session.clock.now()
        )
    }

    /// Prints the destination and the cost before the first request.
    private func announce(_ list: SweptList, traffic: PlannedTraffic) {
        let view = SweepTextView(style: session.options.errorStyle)
        Output.message(
            view.renderCost(
                of: list,
                named: arguments.name,
                traffic: traffic,
                share: arguments.share.percentage,
                in: PlanDestination(target.environment, of: target.project)
            )
        )
    }
}

// MARK: - Held sends

extension ListCheck {
    /// Releases held sends if the whole list was checked.
    private func release(
        after report: SweepReport,
        of fingerprints: [Fingerprint]
    ) async throws(CommandFailure) -> [OccurrenceID] {
        guard report.isWhole else { return [] }
        let (recorder, worker) = (target.recorder, worker)
        let hasHeld = try await mapStateErrors { () async throws(StateStoreError) in
            try await !recorder.heldSends().isEmpty
        }
        guard hasHeld else { return [] }
        return try await locked(
            target.store,
            for: worker,
            waiting: arguments.lockOptions.timeout
        ) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                let released = try await recorder.release(checked: fingerprints)
                if !released.isEmpty, report.recorded == 0 { try await target.store.note(worker) }
                return released
            }
        }
    }
}
