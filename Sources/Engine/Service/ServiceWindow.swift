package import Applying
import CampaignModel
package import Planning
package import RunControl
import Sending
package import State
package import Time

/// Sends what is due, many occurrences at once, in the order of a `ServiceMachine`.
///
/// The caller holds the write lock.
package struct ServiceWindow: Sendable {
    private let applier: Applier
    private let settings: Settings
    /// Whether the window lasts until everything that was due at its beginning was sent; otherwise
    /// it ends when the rest has to wait, and includes what becomes due while it sends.
    private let isWhole: Bool

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

    /// Returns what is due, except for parts of campaigns that wait or are being sent; nil if that cannot be
    /// told, or if guards refuse it.
    package typealias Look = (_ busy: Set<SendPart>) async -> DueWork?

    package init(_ applier: Applier, settings: Settings, isWhole: Bool) {
        self.applier = applier
        self.settings = settings
        self.isWhole = isWhole
    }

    /// Applies a plan that was made from the state alone.
    ///
    /// Never throws: the report contains the error and the completed work.
    ///
    /// `look`: finds what becomes due while the window lasts.
    ///
    /// - Returns: The report, and how long the rest has to wait; nil if nothing waits. The report
    ///   is nil if everything has to wait, so that nothing is recorded.
    package func perform(
        _ work: DueWork,
        with machine: inout ServiceMachine,
        by worker: Worker,
        look: Look
    ) async -> (report: ApplyReport?, next: Duration?) {
        defer { machine.endWindow() }
        let plan = work.plan
        var sends = WindowSends()
        do throws(ApplyError) {
            let gate = try await applier.gate(of: plan)
            sends.add(plan.campaigns, of: plan, behind: gate, at: settings.reading)
        } catch {
            var report = ApplyReport()
            report.error = error
            return (report, nil)
        }
        let commands = machine.receive(.scheduled(sends.due), at: settings.reading)
        let hasRecalls = (try? await applier.openRecalls().isEmpty) == false
        let hasReplies = (try? await applier.openReplies().isEmpty) == false
        guard
            isWhole || hasRecalls || hasReplies || plan.hasOtherChanges
                || commands.contains(where: \.isAction)
        else {
            for case .report(let notice) in commands { settings.report(notice) }
            return (nil, commands.compactMap(\.pause).first)
        }
        var next: Duration?
        let report = await applier.apply(plan, by: worker) {
            (run, result: inout ApplyReport) async throws(ApplyError) in
            var loop = WindowLoop(
                applier,
                in: run,
                settings: settings,
                machine: machine,
                isWhole: isWhole
            )
            loop.begin(sends, with: commands, next: work.next)
            await loop.perform(look: look)
            machine = loop.machine
            next = loop.wake
            result.merge(loop.report)
        }
        return (report, next)
    }
}

extension Plan {
    /// Whether the plan records anything in addition to its sends.
    fileprivate var hasOtherChanges: Bool {
        campaigns.contains { $0.step.began == nil && $0.step != .unchanged && !$0.step.isWaiting }
    }
}

extension ServiceMachine.Command {
    var pause: Duration? {
        if case .wake(let pause) = self { pause } else { nil }
    }

    /// The occurrence that is too late, and whether that is a failure.
    var tooLate: (occurrence: OccurrenceID, isExpired: Bool)? {
        switch self {
        case .expire(let id): (id, true)
        case .skip(let id): (id, false)
        case .start, .wake, .drain, .report: nil
        }
    }

    /// Whether the command sends or records something.
    fileprivate var isAction: Bool {
        switch self {
        case .start, .expire, .skip: true
        case .wake, .drain, .report: false
        }
    }
}
