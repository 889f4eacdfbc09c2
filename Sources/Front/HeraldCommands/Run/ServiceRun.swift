import Presentation
import RunControl

/// A service with everything around its loop: health and metrics, the service manager's watchdog,
/// the check of the credential, and the end.
struct ServiceRun {
    let run: DueRun
    let reload: ReloadRequest
    /// Nil if health and metrics are not served.
    let listen: ListenAddress?
    let systemd: SystemdNotifier?

    /// SIGTERM ends the service within this time, if `--drain-timeout` is not longer.
    private static let longestEnd = Duration.seconds(6)
    /// The least time for notifications at the end.
    private static let shortestFlush = Duration.milliseconds(500)

    /// Returns after the service was asked to stop.
    func perform() async throws(CommandFailure) {
        var server: StatusServer?
        if let listen {
            let new = try await StatusServer(at: listen, of: run.monitor)
            run.monitor.log.note(.listening(at: new.url))
            server = new
        }
        let worker = FleetWorker(of: run).map { worker in
            Task {
                var worker = worker
                await worker.perform()
            }
        }
        let credential = Task { await CredentialWatch(run: run).perform() }
        let pings = Task { await ping() }
        let stopped = Task { await noteStop() }
        let result: Result<Void, CommandFailure>
        do throws(CommandFailure) {
            var loop = ServiceLoop(run, reload: reload)
            result = .success(try await loop.perform())
        } catch {
            result = .failure(error)
        }
        for task in [credential, pings] { task.cancel() }
        stopped.cancel()
        // The loop ends early only with an error, and then the process ends, too.
        run.stop.raise()
        await worker?.value
        let stop = await stopped.value
        let left = Self.longestEnd - (run.steady.now - (stop ?? run.steady.now))
        await run.monitor.finish(within: max(left, Self.shortestFlush))
        await server?.stop()
        try result.get()
    }

    /// Tells the service manager at once that the service stops.
    ///
    /// Returns the time; nil if the service ends for another reason.
    private func noteStop() async -> Duration? {
        await run.stop.wait()
        guard run.stop.isRaised else { return nil }
        systemd?.stopping()
        return run.steady.now
    }

    /// Shows the watchdog that the loop makes progress.
    private func ping() async {
        guard let systemd, let interval = systemd.pingInterval else { return }
        while !Task.isCancelled {
            if run.monitor.isAlive { systemd.ping() }
            try? await Task.sleep(for: interval)
        }
    }
}
