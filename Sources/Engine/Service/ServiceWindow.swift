package import Applying
import CampaignModel
package import Planning
package import RunControl
import Sending
package import State
package import Time

/// Sends what is due at one time, in the order of a `ServiceMachine`.
///
/// The caller holds the write lock.
package struct ServiceWindow: Sendable {
    private let applier: Applier
    private let wall: WallClock
    private let steady: RunClock
    private let stop: StopSignal
    /// Whether the window lasts until everything that is due was sent; otherwise it ends when the
    /// rest has to wait.
    private let isWhole: Bool
    private let report: @Sendable (ServiceMachine.Notice) -> Void

    /// The clocks and the way in which a service stops and reports.
    package struct Settings: Sendable {
        let wall: WallClock
        let steady: RunClock
        let stop: StopSignal
        package let report: @Sendable (ServiceMachine.Notice) -> Void

        package init(
            wall: WallClock,
            steady: RunClock,
            stop: StopSignal,
            report: @escaping @Sendable (ServiceMachine.Notice) -> Void
        ) {
            self.wall = wall
            self.steady = steady
            self.stop = stop
            self.report = report
        }

        /// The current time of both clocks.
        package var reading: ServiceMachine.Reading {
            ServiceMachine.Reading(wall: wall.now(), steady: steady.now)
        }
    }

    package init(_ applier: Applier, settings: Settings, isWhole: Bool) {
        self.applier = applier
        wall = settings.wall
        steady = settings.steady
        stop = settings.stop
        report = settings.report
        self.isWhole = isWhole
    }

    /// Applies a plan that was made from the state alone.
    ///
    /// Never throws: the report contains the error and the completed work.
    ///
    /// - Returns: The report, and how long the rest has to wait; nil if nothing waits. The report
    ///   is nil if everything has to wait, so that nothing is recorded.
    package func perform(
        _ plan: Plan,
        with machine: inout ServiceMachine,
        by worker: Worker
    ) async -> (report: ApplyReport?, next: Duration?) {
        defer { machine.endWindow() }
        var sends = WindowSends(plan)
        sends.commands = machine.receive(.scheduled(sends.due), at: reading)
        guard isWhole || plan.hasOtherChanges || sends.commands.contains(where: \.isAction) else {
            for case .report(let notice) in sends.commands { report(notice) }
            return (nil, sends.commands.compactMap(\.pause).first)
        }
        let report = await applier.apply(plan, by: worker) {
            (run, result: inout ApplyReport) async throws(ApplyError) in
            let situation = Situation(plan: plan, run: run, gate: try await applier.gate(of: plan))
            while let command = try await next(of: &sends, from: &machine) {
                sends.commands += try await perform(
                    command,
                    on: command.occurrence.flatMap { sends[$0] },
                    in: situation,
                    with: &machine,
                    into: &result
                )
                sends.wake = command.isAction ? nil : command.pause ?? sends.wake
            }
        }
        return (report, sends.wake)
    }

    private var reading: ServiceMachine.Reading {
        ServiceMachine.Reading(wall: wall.now(), steady: steady.now)
    }

    /// How long the window waits at most before it looks at the pauses again.
    private static let longestPause = Duration.seconds(1)

    /// Returns the next command; nil at the end of the window.
    private func next(
        of sends: inout WindowSends,
        from machine: inout ServiceMachine
    ) async throws(ApplyError) -> ServiceMachine.Command? {
        while sends.commands.isEmpty {
            guard isWhole, machine.hasReadySends(at: reading) else { return nil }
            try await stop.pause(for: min(sends.wake ?? Self.longestPause, Self.longestPause))
            sends.wake = nil
            sends.commands += machine.receive(.paused(try await applier.pauses()), at: reading)
        }
        return sends.commands.removeFirst()
    }

    /// What all commands of a window need.
    private struct Situation {
        let plan: Plan
        let run: RunID
        let gate: SendGate
    }

    /// Performs a command and returns those that follow from it.
    ///
    /// `send`: what the command is about; nil if it is about no occurrence of the plan.
    private func perform(
        _ command: ServiceMachine.Command,
        on send: SendStep?,
        in situation: Situation,
        with machine: inout ServiceMachine,
        into result: inout ApplyReport
    ) async throws(ApplyError) -> [ServiceMachine.Command] {
        switch command {
        case .start:
            guard let send else { return [] }
            let before = result.sends.count
            try await applier.start(
                send,
                behind: situation.gate,
                in: situation.run,
                of: situation.plan,
                into: &result
            )
            let tally = result.sends.dropFirst(before).first?.tally
            if send.isFanOut, let tally, tally[.accepted] + tally[.unknown] > 0 {
                machine.accepted(reach: situation.plan.reach(of: send), at: reading)
            }
            return machine.receive(.ended(send.occurrence), at: reading)
        case .expire:
            guard let send else { return [] }
            try await applier.giveUp(send, asExpired: true, in: situation.run, into: &result)
        case .skip:
            guard let send else { return [] }
            try await applier.giveUp(send, asExpired: false, in: situation.run, into: &result)
        case .report(let notice): report(notice)
        case .hold, .wake, .drain:
            // One occurrence is in progress at a time, and none while commands are performed.
            break
        }
        return []
    }
}

/// The sends of a window, and the commands that are not performed yet.
private struct WindowSends {
    let due: [DueSend]
    private let steps: [OccurrenceID: SendStep]
    var commands: [ServiceMachine.Command] = []
    /// How long the rest has to wait; nil if nothing waits.
    var wake: Duration?

    init(_ plan: Plan) {
        var due: [DueSend] = []
        var steps: [OccurrenceID: SendStep] = [:]
        for action in plan.campaigns {
            guard let send = action.step.began, let campaign = action.source else { continue }
            due.append(DueSend(send, of: campaign, reach: plan.reach(of: send)))
            steps[send.occurrence] = send
        }
        self.due = due
        self.steps = steps
    }

    subscript(id: OccurrenceID) -> SendStep? { steps[id] }
}

extension Plan {
    /// Whether the plan records anything in addition to its sends.
    fileprivate var hasOtherChanges: Bool {
        campaigns.contains { $0.step.began == nil && $0.step != .unchanged && !$0.step.isWaiting }
    }
}

extension ServiceMachine.Command {
    fileprivate var occurrence: OccurrenceID? {
        switch self {
        case .start(let id), .hold(let id, _), .expire(let id), .skip(let id): id
        case .wake, .drain, .report: nil
        }
    }

    fileprivate var pause: Duration? {
        if case .wake(let pause) = self { pause } else { nil }
    }

    /// Whether the command sends or records something.
    fileprivate var isAction: Bool {
        switch self {
        case .start, .expire, .skip: true
        case .hold, .wake, .drain, .report: false
        }
    }
}
