import ArgumentParser
import CampaignModel
import Planning
import Presentation
import RunControl
import State
import Time

/// `herald apply --due`.
extension ApplyCommand {
    /// Sends what is due, and exits with the result's code.
    func performDue(_ journal: ApplyJournal?) async throws {
        let session = try Session(options)
        let target = try await AppliedTarget(
            at: try session.appliedState(at: state, orOf: environment),
            lists: lists,
            bypassing: Set(guards.bypasses),
            in: session
        )
        let outlets = ServiceMonitor.Outlets(
            log: ServiceLog(.text, of: target.environment.id, to: .current, in: session),
            systemd: nil,
            isService: false
        )
        let monitor = try await ServiceMonitor(of: target, in: session, to: outlets)
        try await session.notingSerial(of: target.store) {
            let stop = StopSignal()
            let signals = InterruptHandler(stop, says: .applying)
            defer { signals.cancel() }
            let run = DueRun(
                session: session,
                target: target,
                options: dueOptions,
                worker: Worker.this(
                    command: "herald apply --due",
                    since: session.clock.now(),
                    origin: .of(options.directory, variables: session.context.variables),
                    bypasses: guards.bypassed.map(\.option)
                ),
                journal: journal,
                monitor: monitor,
                stop: stop
            )
            try run.show(try await run.performOnce(), isQuiet: quiet)
        }
    }

    private var dueOptions: DueRun.Options {
        DueRun.Options(
            parallelism: parallelism,
            requestTimeout: requestTimeout,
            drainTimeout: drainTimeout,
            lockTimeout: lockOptions.timeout,
            waitsForFanOuts: !noWait,
            isQuiet: quiet,
            isVerbose: verbosity.verbose,
            out: out
        )
    }
}
