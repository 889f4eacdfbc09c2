import CampaignModel
import FCMClient
import HTTPTransport
import Planning
import PostgresStore
import Presentation
import RateControl
import RunControl
import Sending
import State

/// The worker of a service whose state is in PostgreSQL: it sends what the service that plans entrusts to
/// the fleet (decision 75).
struct FleetWorker {
    private var run: DueRun
    private let place: PostgresPlace
    private let store: PostgresStore

    /// How long the worker waits before it tries again to reach FCM.
    private static let retryPause = Duration.seconds(10)
    /// The interval of checks for other settings of the environment.
    private static let lookEvery = Duration.seconds(5)

    /// Nil if the state is in a file, or if each process has an emulator of its own.
    init?(of run: DueRun) {
        guard let fleet = run.target.fleet, run.target.sharesServer else { return nil }
        self.run = run
        place = fleet.place
        store = fleet.store
    }

    /// Returns after the service was asked to stop, when the worker has left the fleet.
    mutating func perform() async {
        var problem: String?
        while !run.stop.isRaised {
            do throws(CommandFailure) {
                try await run.target.refresh(in: run.session)
                try await work()
                problem = nil
            } catch {
                // The same problem is reported once.
                if error.text.message != problem { run.monitor.log.note(.workerFailed(error.text)) }
                problem = error.text.message
                try? await run.stop.pause(for: Self.retryPause)
            }
        }
    }

    /// Works until the service is asked to stop, or until the environment has other settings.
    private func work() async throws(CommandFailure) {
        let environment = run.target.environment
        let share = FleetShare(of: environment)
        let isSynchronous = try await mapStateErrors { [store] () async throws(StateStoreError) in
            try await store.standbys().isRequired
        }
        let server = try await EndpointServer.reach(
            EndpointServer.Target(
                environment,
                of: run.target.applied.project(with: []),
                open: run.options.parallelism.map { OpenLimit(fixed: $0) }
                    ?? OpenLimit(unknown: share.permits),
                allowsAnyServer: run.target.bypassed.contains(.endpoint)
            ),
            in: run.session
        )
        let stop = StopSignal()
        let driver = FleetDriver(
            lanes: FleetDriver.Lanes { FleetStore(at: place, for: $0) },
            store: store,
            limits: FleetDriver.Limits(
                quota: share.quota,
                permits: share.permits,
                isSynchronous: isSynchronous
            ),
            settings: settings(of: server, stop: stop)
        )
        let watch = Task { await raise(stop, whenOtherThan: environment) }
        await driver.perform()
        watch.cancel()
        await server.stop()
    }

    private func settings(of server: EndpointServer, stop: StopSignal) -> FleetDriver.Settings {
        var endpoint = server.endpoint
        endpoint.requestTimeLimit = run.options.requestTimeout.duration
        let log = run.monitor.log
        return FleetDriver.Settings(
            RunSettings(
                transport: run.monitor.watching(server.transport),
                endpoint: endpoint,
                clock: run.session.clock,
                stop: stop,
                drainLimit: .seconds(run.options.drainTimeout),
                open: server.open
            ),
            report: { log.note(.fleet($0)) }
        )
    }

    private func raise(
        _ stop: StopSignal,
        whenOtherThan environment: CampaignModel.Environment
    ) async {
        var target = run.target
        while !Task.isCancelled {
            do throws(ApplyError) {
                try await run.stop.pause(for: Self.lookEvery)
            } catch {
                stop.raise()
                return
            }
            do throws(CommandFailure) { try await target.refresh(in: run.session) } catch {
                continue
            }
            if target.environment != environment { stop.raise() }
        }
    }
}

/// The parts of an environment's limits for the fleet, and for what the service sends itself.
struct FleetShare {
    /// The sends of all workers in any 60 s.
    let quota: Int
    /// The requests of all workers that may be unknown after a crash.
    let permits: Int
    /// The pace of the service.
    let pace: Pace
    /// The requests of the service that may be unknown after a crash.
    let unknown: Int
    /// The number of requests from which on an occurrence is entrusted to the fleet.
    let fewest: Int

    /// Topics, conditions and short lists need few requests: the service has one of so many.
    private static let ownQuota = 50
    private static let ownUnknown = 10
    private static let fewestRange = 10...1_000

    init(of environment: CampaignModel.Environment) {
        let whole = environment.pace
        pace = whole.sending(perMinute: whole.sendsPerMinute / Self.ownQuota)
        quota = max(1, whole.sendsPerMinute - pace.sendsPerMinute)
        let most = environment.settings.maximumUnknown
        unknown = max(2, most / Self.ownUnknown)
        permits = max(1, most - unknown)
        // What the service sends itself in two seconds.
        let soon = pace.sendsPerMinute / 30
        fewest = min(max(soon, Self.fewestRange.lowerBound), Self.fewestRange.upperBound)
    }
}
