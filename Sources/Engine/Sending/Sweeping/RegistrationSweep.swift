package import CampaignModel
import FCMClient
import HTTPTransport
import Planning
package import RateControl
package import RegistrationLists
package import RunControl
import State
import Time

/// A surveyed list whose registrations are checked.
package struct SweptList: Sendable {
    package let list: RegistrationList
    package let id: ListID
    package let fingerprints: [Fingerprint]

    package init(_ list: RegistrationList, survey: ListSurvey) {
        self.list = list
        id = survey.id
        fingerprints = survey.fingerprints
    }
}

/// Asks FCM to validate a message to each registration of a list, and records dead registrations.
///
/// It performs the commands of a `DispatchMachine` without a ledger, because `validate_only`
/// delivers nothing: a request whose outcome is unknown is made again.
package struct RegistrationSweep: Sendable {
    let settings: RunSettings
    let fingerprinter: Fingerprinter
    /// The project's folder, which contains its lists.
    let directory: String
    let clock = RunClock()

    package init(settings: RunSettings, fingerprinter: Fingerprinter, directory: String) {
        self.settings = settings
        self.fingerprinter = fingerprinter
        self.directory = directory
    }

    /// The share of problems above which a list looks wrong.
    ///
    /// A sweep may find many dead registrations, but a list without live ones probably belongs to
    /// another project.
    private static let tolerated = Percentage("95%")

    /// Checks all registrations that are not dead already.
    ///
    /// `list` must not change during the sweep. `budget`: the share of the quota for the requests.
    ///
    /// - Throws: `.unreachable` before the first request; `.list` if the list changes; `.state`.
    package func perform(
        _ list: SweptList,
        within budget: PaceBudget,
        recordingWith recorder: SweepRecorder
    ) async throws(ApplyError) -> SweepReport {
        let dead = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await recorder.dead()
        }
        let skipped = dead.divide(list.fingerprints).dead
        let all = RequestRanges([0..<list.fingerprints.count])
        let wanted = skipped.isEmpty ? all : all.subtracting(skipped)
        let rows = try mapListErrors { () throws(RegistrationListError) in
            try SweepRows(
                list,
                directory: directory,
                wanted: wanted,
                fingerprinter: fingerprinter
            )
        }
        try await prepare()
        settings.report(.began(.checking, total: wanted.count))
        let result = await sweep(
            machine(for: wanted, pace: RequestFlow(budget).pace),
            rows: rows,
            recorder: recorder
        )
        settings.report(.ended(.checking))
        let (tally, end) = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await recorder.finish()
            return try result.get()
        }
        if let failure = await rows.failure { throw .list(failure) }
        return SweepReport(
            count: list.fingerprints.count,
            skipped: skipped.count,
            tally: tally,
            recorded: await recorder.recorded,
            end: end
        )
    }

    private func prepare() async throws(ApplyError) {
        do {
            try await settings.transport.prepare(settings.endpoint.messaging)
        } catch {
            throw .unreachable(reason: error.detail)
        }
    }

    private func machine(for wanted: RequestRanges, pace: PaceMachine) -> DispatchMachine {
        DispatchMachine(
            requests: wanted,
            mark: 0,
            rules: DispatchMachine.Rules(
                open: settings.open,
                keepsNames: false,
                policy: SendPolicy(repeats: .always, stopsAtUnknown: false),
                backoff: settings.backoff,
                seed: .random(in: 0 ... .max)
            ),
            pace: pace,
            trial: WrongListDetector(count: wanted.count, acknowledged: Self.tolerated)
        )
    }

    private func sweep(
        _ machine: DispatchMachine,
        rows: SweepRows,
        recorder: SweepRecorder
    ) async -> Result<(SweepReport.Tally, DispatchMachine.End), StateStoreError> {
        await withDiscardingTaskGroup { group in
            var loop = SweepLoop(sweep: self, machine: machine, rows: rows, recorder: recorder)
            let result = await loop.run(&group)
            group.cancelAll()
            return result
        }
    }
}
