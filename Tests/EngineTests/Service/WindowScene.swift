import Applying
import CampaignModel
import FCMClient
import Planning
import RateControl
import RunControl
import Service
import State
import StoreConformance
import Time

extension PlanScene {
    /// Performs a window of at most `occurrences` sends at once, or more with at most `requests`.
    func performWindow(
        _ work: DueWork,
        occurrences: Int = 8,
        requests: Int = 0,
        to transport: ScriptedTransport,
        recording ledger: (any Ledger)? = nil,
        stop: StopSignal = StopSignal(),
        open: OpenLimit? = nil,
        drainLimit: Duration = .seconds(20),
        perMinute: Int = 100_000_000,
        isWhole: Bool = true,
        at now: Instant = Self.now,
        look: ServiceWindow.Look = { _ in nil },
        report: @escaping @Sendable (ApplyEvent) -> Void = { _ in }
    ) async -> ApplyReport? {
        let clock = WallClock.fixed(now)
        let pace = Pace(sendsPerMinute: perMinute, subscriptionsPerSecond: 1_000_000, fanOuts: 1)
        let settings = RunSettings(
            transport: transport,
            endpoint: .unused(),
            clock: clock,
            stop: stop,
            drainLimit: drainLimit,
            backoff: Backoff(shortest: .microseconds(100), shortestRepeat: .milliseconds(1)),
            open: open ?? OpenLimit(unknown: max(128, 2 * requests)),
            report: report
        )
        let project = AppliedProject(
            directory: folder.path,
            fingerprinter: fingerprinter,
            zones: .system(environment: [:]),
            pace: pace
        )
        let applier = Applier(of: project, store: store, ledger: ledger, settings: settings)
        let window = ServiceWindow(
            applier,
            settings: ServiceWindow.Settings(
                wall: clock,
                steady: RunClock(),
                stop: stop,
                report: { _ in }
            ),
            isWhole: isWhole
        )
        var machine = ServiceMachine(
            ServiceMachine.Limits(occurrences: occurrences, requests: requests, pace: pace),
            lastRun: nil
        )
        return await window.perform(
            work,
            with: &machine,
            by: StoreFixtures.worker,
            look: look
        ).report
    }
}
