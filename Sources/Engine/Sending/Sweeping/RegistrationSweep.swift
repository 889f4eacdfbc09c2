import CampaignModel
import FCMClient
import HTTPTransport
import Planning
package import RateControl
package import RegistrationLists
package import RunControl
import State

/// Asks FCM to validate a message to each registration of a list, and records dead registrations.
///
/// It performs the commands of a `DispatchMachine` without a ledger, because `validate_only`
/// delivers nothing: a request whose outcome is unknown is made again.
package struct RegistrationSweep: Sendable {
    let settings: RunSettings
    let fingerprinter: Fingerprinter
    /// The project's folder, which contains its lists, and the outputs of sources.
    let places: any ListPlaces
    let clock = RunClock()

    package init(settings: RunSettings, fingerprinter: Fingerprinter, places: any ListPlaces) {
        self.settings = settings
        self.fingerprinter = fingerprinter
        self.places = places
    }

    /// The share of problems above which a list looks wrong.
    ///
    /// A sweep may find many dead registrations, but a list without live ones probably belongs to
    /// another project.
    static let tolerated = Percentage.ninetyFivePercent

    /// Checks all registrations that are not dead already.
    ///
    /// `budget`: the share of the quota for the requests.
    ///
    /// - Throws: `.unreachable` before the first request; `.list` if the list cannot be opened;
    ///   `.state`.
    package func perform(
        _ list: SweptList,
        within budget: PaceBudget,
        recordingWith recorder: SweepRecorder
    ) async throws(ApplyError) -> SweepReport {
        let rows = try mapListErrors { () throws(RegistrationListError) in
            try SweepRows(list, places: places, fingerprinter: fingerprinter)
        }
        try await prepare()
        settings.report(.began(.checking, total: list.checked))
        let result = await sweep(list, within: budget, rows: rows, recorder: recorder)
        settings.report(.ended(.checking))
        let (tally, end) = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await recorder.finish()
            return try result.get()
        }
        return SweepReport(
            count: list.count,
            skipped: list.count - list.checked,
            tally: tally,
            recorded: await recorder.recorded,
            end: await rows.failure.map { .failed(.list($0)) } ?? SweepReport.End(end)
        )
    }

    private func prepare() async throws(ApplyError) {
        do {
            try await settings.transport.prepare(settings.endpoint.messaging)
        } catch {
            throw .unreachable(reason: error.detail)
        }
    }

    private func sweep(
        _ list: SweptList,
        within budget: PaceBudget,
        rows: SweepRows,
        recorder: SweepRecorder
    ) async -> SweepLoop.Result {
        let machine = machine(for: list, pace: RequestFlow(budget).pace)
        return await withDiscardingTaskGroup { group in
            var loop = SweepLoop(
                sweep: self,
                list: list,
                machine: machine,
                rows: rows,
                recorder: recorder
            )
            let result = await loop.run(&group)
            group.cancelAll()
            return result
        }
    }

    private func machine(for list: SweptList, pace: PaceMachine) -> DispatchMachine {
        DispatchMachine(
            requests: list.wanted,
            mark: 0,
            rules: DispatchMachine.Rules(
                open: settings.open,
                keepsNames: false,
                policy: SendPolicy(repeats: .always, stopsAtUnknown: false),
                backoff: settings.backoff,
                seed: .random(in: 0 ... .max)
            ),
            pace: pace,
            trial: WrongListDetector(count: list.checked, acknowledged: Self.tolerated)
        )
    }
}
