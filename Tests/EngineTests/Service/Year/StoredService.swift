import Applying
import CampaignModel
import FCMClient
import JSON
import Planning
import RateControl
import RunControl
import Service
import State
import Synchronization
import TestSupport
import Testing
import Time

/// Runs the beginning of a year on a virtual clock, with a state in SQLite and a server that answers at
/// once.
struct StoredService {
    private let year: YearFile
    private let scene: PlanScene
    private let planner: YearPlanner
    private let clock: VirtualClock
    private let transport: ScriptedTransport
    private var machine: ServiceMachine

    /// The virtual time, and what was sent at it.
    private final class VirtualClock: Sendable {
        private let state: Mutex<(now: Instant, sends: [CampaignID: [Instant]])>

        init(_ now: Instant) {
            state = Mutex((now, [:]))
        }

        var now: Instant { state.withLock { $0.now } }
        var sends: [CampaignID: [Instant]] { state.withLock { $0.sends } }

        func set(_ now: Instant) {
            state.withLock { $0.now = now }
        }

        func sent(_ campaign: CampaignID) {
            state.withLock { $0.sends[campaign, default: []].append($0.now) }
        }
    }

    /// Applies the campaigns.
    init(_ year: YearFile, in scene: PlanScene) async throws {
        self.year = year
        self.scene = scene
        planner = try YearPlanner(year, in: scene)
        let clock = VirtualClock(year.start)
        self.clock = clock
        // The title of a message is the name of its campaign.
        transport = ScriptedTransport { call in
            let title = call.body["message"]?["notification"]?["title"]?.stringValue
            guard let campaign = title.flatMap({ CampaignID($0) }) else {
                return .refusal(400, "INVALID_ARGUMENT")
            }
            clock.sent(campaign)
            return .accepted
        }
        let limits = ServiceMachine.Limits(occurrences: 64, requests: 4_000, pace: .standard)
        machine = ServiceMachine(limits, lastRun: nil)
        try await scene.remember(try await planner.apply())
    }

    /// The times of the sends by campaign, in order.
    var sends: [CampaignID: [Instant]] { clock.sends }

    mutating func perform(until end: Instant) async throws {
        while true {
            var state = try await scene.store.appliedState()
            if state.isDue(at: clock.now) {
                try await performWindow(on: state)
                state = try await scene.store.appliedState()
                try #require(!state.isDue(at: clock.now), "something is still due")
            }
            guard let next = state.next else { return }
            let now = year.outages.running(from: next)
            guard now < end else { return }
            clock.set(now)
        }
    }

    private mutating func performWindow(on state: AppliedState) async throws {
        let plan = try await planner.due(state, at: clock.now)
        let worker = Worker(command: "run", user: "", host: "", processID: 0, since: clock.now)
        let report = await window.perform(
            DueWork(plan: plan, next: nil),
            with: &machine,
            by: worker,
            look: { _ in nil }
        ).report
        if let error = report?.error { throw error }
    }

    private var window: ServiceWindow {
        // The machine has the permits of fan-outs.
        var pace = Pace.standard
        pace.holdsFanOuts = false
        let stop = StopSignal()
        let wall = WallClock { [clock] in clock.now }
        let settings = RunSettings(
            transport: transport,
            endpoint: .unused(),
            clock: wall,
            stop: stop,
            drainLimit: .seconds(20)
        )
        let project = AppliedProject(
            directory: scene.folder.path,
            fingerprinter: scene.fingerprinter,
            zones: systemZones,
            pace: pace
        )
        return ServiceWindow(
            Applier(of: project, store: scene.store, settings: settings),
            settings: ServiceWindow.Settings(
                wall: wall,
                steady: RunClock(),
                stop: stop,
                report: { _ in }
            ),
            isWhole: true
        )
    }
}

extension AppliedState {
    fileprivate var next: Instant? {
        occurrences.values.filter { $0.status == .scheduled }.map(\.due).min()
    }

    fileprivate func isDue(at now: Instant) -> Bool { next.map { $0 <= now } ?? false }
}
