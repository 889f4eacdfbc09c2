import CampaignModel
import FCMClient
import FCMWire
import JSON
import Memberships
import Planning
import RateControl
import RegistrationLists
import RunControl
import Sending
import State
import Time

extension Applier {
    /// Performs the changes unless everything is paused, and stops them when it is.
    ///
    /// The next apply continues.
    func changeMembershipsUnlessPaused(
        of plan: Plan,
        in run: RunID,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        let changes = plan.memberships
        guard !changes.isEmpty else { return }
        let watch = PauseWatch(store, stop: settings.stop)
        guard try await !watch.isPaused() else {
            result.pausedMemberships = changes.map(\.scope)
            return
        }
        let watching = Task { await watch.run() }
        defer { watching.cancel() }
        do throws(ApplyError) {
            try await changeMemberships(of: plan, in: run, until: watch.halt, into: &result)
        } catch {
            guard error == .interrupted, !settings.stop.isRaised else { throw error }
            result.pausedMemberships = changes.map(\.scope)
        }
    }

    /// Performs all leaves before the first join, so that no send reaches a member that must leave.
    private func changeMemberships(
        of plan: Plan,
        in run: RunID,
        until halt: StopSignal,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        let changes = plan.memberships
        let executor = MembershipExecutor(
            book: store,
            settings: settings.renewing.stopping(at: halt),
            runClock: paces.clock
        )
        let sustained = plan.traffic.sustained(.memberships, at: settings.clock.now())
        var flow = RequestFlow(try await budget(of: changes).after(sustained))
        defer { paces.memberships = flow }
        let handovers = MembershipTransfers(changes)
        for change in changes {
            try await executor.forget(handovers.others(change), in: change.scope)
        }
        for change in changes where !change.leaves.isEmpty {
            settings.report(.began(.leaving(change.scope), total: change.leaves.count))
            try await noting(
                change.scope,
                leftUpstream: change.leftUpstream,
                in: run,
                into: &result
            ) { result throws(ApplyError) in
                let source = MemberSource(leaves: change, in: store, with: project.fingerprinter)
                try await executor.perform(
                    DirectedChange(.remove, for: change, of: source),
                    flow: &flow,
                    into: &result.memberships
                )
            }
            settings.report(.ended(.leaving(change.scope)))
        }
        for change in changes where !change.joins.isEmpty || !change.noted.isEmpty {
            let total = change.joins.count + change.noted.count
            settings.report(.began(.joining(change.scope), total: total))
            try await noting(change.scope, in: run, into: &result) { result throws(ApplyError) in
                try await join(change, by: executor, flow: &flow, into: &result)
            }
            settings.report(.ended(.joining(change.scope)))
        }
        for change in changes {
            try await executor.forget(handovers.members(change), in: change.scope)
        }
    }

    /// Returns the pace budget: single leaves are spread evenly, and a batch needs saved budget for
    /// its thousand.
    private func budget(
        of changes: [MembershipChange]
    ) async throws(ApplyError) -> PaceBudget {
        let remembered = try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.membershipTransport()
        }
        let isSingle = changes.allSatisfy { change in
            let route = MembershipRoute(change.transport, remembered: remembered)
            return route.transport == .perRegistration
        }
        return isSingle ? .memberships(project.pace, largest: 1) : .memberships(project.pace)
    }

    private func join(
        _ change: MembershipChange,
        by executor: MembershipExecutor,
        flow: inout RequestFlow,
        into result: inout ApplyReport
    ) async throws(ApplyError) {
        guard let list = change.list else { return }
        let source = try MemberSource(
            joins: change,
            of: list,
            directory: project.directory,
            in: store,
            with: project.fingerprinter
        )
        try await executor.perform(
            DirectedChange(.add, for: change, of: source),
            flow: &flow,
            into: &result.memberships
        )
    }
}

/// Members that move from one audience to another in the same topic.
///
/// Until the second audience has recorded them, only the first one's record shows whether Herald
/// manages their subscriptions.
private struct MembershipTransfers {
    private var taken: [Topic: Set<Fingerprint>] = [:]

    init(_ changes: [MembershipChange]) {
        let letting = Set(changes.filter { !$0.forgotten.isEmpty }.map(\.scope.topic))
        for change in changes where letting.contains(change.scope.topic) {
            taken[change.scope.topic, default: []].formUnion(change.joins + change.noted)
        }
    }

    func members(_ change: MembershipChange) -> [Fingerprint] {
        change.forgotten.filter { taken[change.scope.topic]?.contains($0) == true }
    }

    func others(_ change: MembershipChange) -> [Fingerprint] {
        change.forgotten.filter { taken[change.scope.topic]?.contains($0) != true }
    }
}

/// Looks once a second whether everything is paused.
private struct PauseWatch: Sendable {
    private let store: any ControlStore
    private let stop: StopSignal
    /// Raised by a stop of the run and by a pause.
    let halt = StopSignal()

    init(_ store: any ControlStore, stop: StopSignal) {
        self.store = store
        self.stop = stop
    }

    func isPaused() async throws(ApplyError) -> Bool {
        try await mapLedgerErrors { () async throws(StateStoreError) in
            try await store.isEverythingPaused()
        }
    }

    /// Returns when `halt` is raised or the task is cancelled.
    ///
    /// The changes themselves report a state that cannot be read.
    func run() async {
        while !Task.isCancelled {
            do throws(ApplyError) {
                try await stop.pause(for: .seconds(1))
            } catch {
                return halt.raise()
            }
            if let isPaused = try? await store.isEverythingPaused(), isPaused {
                return halt.raise()
            }
        }
    }
}
