package import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import Planning
package import RateControl
package import RunControl
package import State

/// Performs the commands of a `MembershipMachine` for one change, with real requests and records.
///
/// A change is idempotent, so unanswered requests are repeated.
package struct MembershipExecutor: Sendable {
    let book: any MembershipBook
    let settings: RunSettings
    /// The clock of the pace.
    let runClock: RunClock

    package init(book: any MembershipBook, settings: RunSettings, runClock: RunClock) {
        self.book = book
        self.settings = settings
        self.runClock = runClock
    }

    /// Removes members that need no request: another audience keeps them, they are external or
    /// opted out, or FCM refused them.
    package func forget(
        _ fingerprints: [Fingerprint],
        in scope: MembershipScope
    ) async throws(ApplyError) {
        guard !fingerprints.isEmpty else { return }
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await book.finishLeave(
                fingerprints.map { MembershipResult(fingerprint: $0, verdict: .done) },
                in: scope
            )
        }
    }

    /// Returns the transport that a change starts with.
    ///
    /// Leaving members may belong to a removed audience, or to an earlier list of another kind, so
    /// their own form decides.
    private func route(_ part: DirectedChange) async throws(ApplyError) -> MembershipRoute {
        if part.direction == .remove, try await part.source.hasInstallationIDs() {
            return MembershipRoute(.perRegistration, remembered: nil)
        }
        let remembered = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await book.membershipTransport()
        }
        return MembershipRoute(part.change.transport, remembered: remembered)
    }

    /// Performs a change for all members of a source; work before an error is counted.
    ///
    /// `flow`: the flow of the run's changes, on `runClock`.
    package func perform(
        _ part: DirectedChange,
        flow: inout RequestFlow,
        into tally: inout MembershipTally
    ) async throws(ApplyError) {
        let machine = MembershipMachine(
            for: part.change,
            direction: part.direction,
            by: try await route(part),
            rules: MembershipMachine.Rules(
                open: settings.open,
                backoff: settings.backoff,
                seed: .random(in: 0 ... .max)
            ),
            pace: flow.pace
        )
        let (after, end) = await withTaskGroup(of: MembershipMachine.Event.self) { group in
            var loop = MembershipLoop(executor: self, source: part.source, machine: machine)
            let end = await loop.run(&group)
            group.cancelAll()
            return (loop.machine, end)
        }
        tally += after.tally
        flow.advance(to: after.pace, roundTrip: after.window.roundTrip)
        try end.get()
    }
}

/// The loop of one change: it passes events to the machine and performs its commands.
///
/// Every command is a task, whose result is the next event. The loop waits for nothing else, so
/// that answers are read also while a commit waits for the disk.
private struct MembershipLoop {
    let executor: MembershipExecutor
    let source: MemberSource
    var machine: MembershipMachine
    private var isStopping = false
    private var end: Result<Void, ApplyError>?

    typealias Event = MembershipMachine.Event

    init(executor: MembershipExecutor, source: MemberSource, machine: MembershipMachine) {
        self.executor = executor
        self.source = source
        self.machine = machine
    }

    mutating func run(_ group: inout TaskGroup<Event>) async -> Result<Void, ApplyError> {
        let stop = executor.settings.stop
        group.addTask {
            await stop.wait()
            return .stop
        }
        receive(.begin, in: &group)
        while end == nil, let event = await group.next() { receive(event, in: &group) }
        return end ?? .success(())
    }

    private mutating func receive(_ event: Event, in group: inout TaskGroup<Event>) {
        let now = executor.runClock.now
        if !isStopping, executor.settings.stop.isRaised {
            isStopping = true
            perform(machine.receive(.stop, now: now), in: &group)
        }
        perform(machine.receive(event, now: now), in: &group)
    }

    private mutating func perform(
        _ commands: [MembershipMachine.Command],
        in group: inout TaskGroup<Event>
    ) {
        for command in commands { perform(command, in: &group) }
    }

    private mutating func perform(
        _ command: MembershipMachine.Command,
        in group: inout TaskGroup<Event>
    ) {
        let (executor, source) = (executor, source)
        let (change, direction) = (machine.change, machine.direction)
        switch command {
        case .read: group.addTask { await executor.read(source, direction: direction) }
        case .query(let members, let route):
            group.addTask { await executor.query(members, by: route) }
        case .write(let write):
            group.addTask { await executor.write(write, direction: direction, in: change.scope) }
        case .request(let work, let route):
            group.addTask {
                let reply = await executor.reply(
                    to: work,
                    direction: direction,
                    topic: change.scope.topic,
                    by: route
                )
                return .answered(work, reply, by: route)
            }
        case .wake(let time):
            group.addTask {
                await executor.runClock.sleep(until: time)
                return .woke
            }
        case .drain:
            group.addTask {
                try? await Task.sleep(for: executor.settings.drainLimit)
                return .drained
            }
        case .report(let event): executor.settings.report(event)
        case .finish(nil): end = .success(())
        case .finish(let error?): end = .failure(error)
        }
    }
}

// MARK: - Commands

extension MembershipExecutor {
    fileprivate func read(
        _ source: MemberSource,
        direction: MembershipMachine.Direction
    ) async -> MembershipMachine.Event {
        do throws(ApplyError) {
            let members = try await source.next()
            guard direction == .add, !members.isEmpty else {
                return .read(members, standings: [:])
            }
            return .read(members, standings: try await source.standings(of: members))
        } catch {
            return .notRead(error)
        }
    }

    fileprivate func query(
        _ members: [Member],
        by route: MembershipRoute
    ) async -> MembershipMachine.Event {
        let reader = MembershipReader(settings: settings, route: route)
        do throws(ApplyError) {
            return .queried(try await reader.read(members), by: route)
        } catch {
            return .notQueried(error)
        }
    }

    fileprivate func write(
        _ write: MembershipWrite,
        direction: MembershipMachine.Direction,
        in scope: MembershipScope
    ) async -> MembershipMachine.Event {
        do throws(StateStoreError) {
            try await perform(write, direction: direction, in: scope)
            return .written
        } catch {
            return .notWritten(error)
        }
    }

    fileprivate func reply(
        to work: MembershipWork,
        direction: MembershipMachine.Direction,
        topic: Topic,
        by route: MembershipRoute
    ) async -> MembershipReply {
        do throws(TransportError) {
            let answer = try await settings.transport.send(
                request(for: work, direction: direction, topic: topic, by: route)
            )
            return MembershipReply(answer, by: route, for: work.members.count)
        } catch {
            return .passing(error.detail, retryAfter: nil, isAnswered: false)
        }
    }

    private func request(
        for work: MembershipWork,
        direction: MembershipMachine.Direction,
        topic: Topic,
        by route: MembershipRoute
    ) -> HTTPRequest {
        let endpoint = settings.endpoint
        let registrations = work.members.map(\.registration.token)
        switch route.transport {
        case .batch:
            let batch = InstanceIDBatch(change: direction, topic: topic.name)
            return endpoint.change(batch, registrations: registrations)
        case .perRegistration:
            return endpoint.change(
                TopicSubscriptionChange(
                    direction,
                    project: endpoint.project,
                    registration: registrations[0],
                    topic: topic.name
                )
            )
        }
    }
}
