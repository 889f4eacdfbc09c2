import Presentation
import RunControl
import Service
import State
import SystemIO

/// Waits for what a service needs to send: to be the only active one, and the lock of each window.
struct ServiceTurn {
    private let run: DueRun
    private let reload: ReloadRequest

    init(of run: DueRun, reload: ReloadRequest) {
        self.run = run
        self.reload = reload
    }

    /// The interval of attempts to get the lock, as often as other commands try.
    private static let interval = Duration.milliseconds(100)
    /// How long a process that waits for the lock may go first.
    ///
    /// It has an end, because a stopped process would wait forever.
    private static let courtesy = Duration.seconds(1)

    /// Waits as a standby until this is the service that sends.
    ///
    /// Returns false if the service was asked to stop.
    func takeRole() async throws(CommandFailure) -> Bool {
        try await wait(for: .role) { () async throws(CommandFailure) in
            try await mapStateErrors { () async throws(StateStoreError) in
                try await run.target.role.take(for: run.worker)
            }
        }
    }

    /// Waits for the lock.
    ///
    /// Returns false if the service was asked to stop.
    func lock() async throws(CommandFailure) -> Bool {
        await letOthersGoFirst()
        return try await wait(for: .lock) { () async throws(CommandFailure) in
            do throws(StateStoreError) {
                try await run.target.store.lock(for: run.worker, waiting: .zero)
                return .taken
            } catch {
                guard case .locked(let holder) = error else { throw CommandFailure(error) }
                return .held(by: holder)
            }
        }
    }

    /// Reports a request to read the credential again; returns false if there was none.
    func noteReload() -> Bool {
        guard reload.take() else { return false }
        run.monitor.reloading()
        if run.monitor.showsText { run.session.options.tell(ServiceWording.reloading) }
        return true
    }

    private func wait(
        for need: StandbyMachine.Need,
        attempt: () async throws(CommandFailure) -> ServiceRoleAttempt
    ) async throws(CommandFailure) -> Bool {
        var machine = StandbyMachine(
            waitingFor: need,
            limit: .seconds(run.options.lockTimeout)
        )
        var sighting = RunnerSighting(run, isStandby: true)
        var outage = StandbyOutage()
        while !run.stop.isRaised {
            let result: ServiceRoleAttempt
            do throws(CommandFailure) {
                result = try await attempt()
            } catch {
                guard need == .role, outage.hadAnswer else { throw error }
                if outage.isNew(error) { show(error) }
                run.monitor.beat()
                try? await run.stop.pause(for: run.target.role.interval)
                continue
            }
            if outage.end() { run.monitor.reachedState() }
            guard case .held(let worker) = result else {
                show(machine.receive(.acquired, at: run.steady.now), of: need)
                run.monitor.begins(waiting: .zero)
                return true
            }
            let holder = StandbyMachine.Holder(worker, isStopped: isStopped(worker))
            show(machine.receive(.held(holder), at: run.steady.now), of: need)
            run.monitor.beat()
            _ = noteReload()
            if need == .role { await sighting.note() }
            try? await run.stop.pause(
                for: need == .role ? run.target.role.interval : Self.interval
            )
        }
        return false
    }

    private func show(_ failure: CommandFailure) {
        run.monitor.failed(failure)
        guard run.monitor.showsText else { return }
        let style = run.session.options.errorStyle
        Output.message(ErrorTextView(style: style).render(failure.text))
    }

    private func show(_ commands: [StandbyMachine.Command], of need: StandbyMachine.Need) {
        for command in commands { run.monitor.show(command, of: need) }
    }

    /// Whether a process of this machine is stopped; false for one of another machine or container.
    private func isStopped(_ worker: Worker?) -> Bool {
        guard let worker, worker.host == run.worker.host else { return false }
        return OtherProcess(id: worker.processID).isStopped
    }

    private func letOthersGoFirst() async {
        let end = run.steady.now + Self.courtesy
        while run.steady.now < end, !run.stop.isRaised,
            await run.target.store.hasWaitingWriter()
        {
            try? await run.stop.pause(for: Self.interval)
        }
    }
}

/// What a standby remembers while the server of the state does not answer, for example during its
/// failover.
private struct StandbyOutage {
    /// Without an earlier answer, the service ends with the error.
    private(set) var hadAnswer = false
    /// The last problem; nil if the server answers.
    private var message: String?

    /// Takes a failed attempt.
    ///
    /// - Returns: Whether it failed in another way than the last one.
    mutating func isNew(_ failure: CommandFailure) -> Bool {
        defer { message = failure.text.message }
        return message != failure.text.message
    }

    /// Takes an answer.
    ///
    /// - Returns: Whether it ends an outage.
    mutating func end() -> Bool {
        hadAnswer = true
        defer { message = nil }
        return message != nil
    }
}
