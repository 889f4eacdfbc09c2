import Applying
import CampaignModel
import Planning
import RunControl
import Sending
import State
import Time

/// The loop of a window: it passes events to the machine and performs its commands.
///
/// Each occurrence is a child task with its own part of the report. The loop waits only for its
/// children, so that nothing waits for an occurrence that is slow or held.
struct WindowLoop {
    private(set) var machine: ServiceMachine
    /// How long the rest has to wait; nil if nothing waits.
    private(set) var wake: Duration?
    /// When to look for what became due since the last plan; nil if nothing will.
    private var nextLook: Instant?
    /// Whether the window ends only when everything that was due at its beginning was sent;
    /// otherwise it looks for what becomes due while it sends.
    private let isWhole: Bool
    private let applier: Applier
    private let run: RunID
    private let settings: ServiceWindow.Settings
    private var sends = WindowSends()
    private var commands: [ServiceMachine.Command] = []
    /// What the loop itself did.
    private var own = ApplyReport()
    /// What the occurrences did, by the order in which they started.
    private var parts: [Int: ApplyReport] = [:]
    /// The rollouts that ended in this window before their last stage, and wait for a person or a time.
    private var waitingRollouts: Set<OccurrenceID> = []
    private var startCount = 0
    private var runningCount = 0
    private let inbox = WindowInbox()
    private let starts = StartGate()
    /// The end of the timer that ends first; nil if none runs.
    private var timer: Duration?
    /// When the pauses were last read.
    private var lastPauses: Duration
    /// When the loop last looked for a reason to end the window.
    private var lastQueue: Duration
    /// Whether the window ends with what is in progress.
    private var isEndAwaited = false
    /// The first error; then nothing starts, and the occurrences in progress end.
    private var error: ApplyError?
    private var wasStopped = false

    /// How long the window waits at most before it looks at the pauses again.
    private static let longestPause = Duration.seconds(1)
    /// How long it waits before it looks for the next slot of a schedule whose occurrence ended, or
    /// after a look that failed.
    private static let lookAgain: Int64 = 10
    /// The smallest number of sends that start at once, of which the short ones are started together.
    private static let fewestTogether = 8

    init(
        _ applier: Applier,
        in run: RunID,
        settings: ServiceWindow.Settings,
        machine: ServiceMachine,
        isWhole: Bool
    ) {
        self.applier = applier
        self.run = run
        self.settings = settings
        self.machine = machine
        self.isWhole = isWhole
        lastPauses = settings.steady.now
        lastQueue = lastPauses
    }

    /// What the window did, in the order in which the occurrences started.
    var report: ApplyReport {
        var report = own
        report.error = error
        for (_, part) in parts.sorted(by: { $0.key < $1.key }) { report.merge(part) }
        return report
    }

    /// Adds the sends of the window, and the first commands of the machine about them.
    ///
    /// `next`: when the next occurrence is due.
    mutating func begin(
        _ sends: WindowSends,
        with commands: [ServiceMachine.Command],
        next: Instant?
    ) {
        self.sends = sends
        nextLook = next
        take(commands)
    }

    /// Performs the window until nothing is in progress and the rest has to wait.
    mutating func perform(look: ServiceWindow.Look) async {
        var loop = self
        self = await withDiscardingTaskGroup { group in
            while true {
                await loop.performCommands(in: &group)
                if loop.runningCount == 0, !loop.mustWait() { break }
                loop.startTimer(in: &group)
                let arrived = await loop.inbox.take()
                for ended in arrived.ended { loop.take(ended) }
                if let end = arrived.passed { await loop.timePassed(end, look: look) }
            }
            group.cancelAll()
            return loop
        }
    }

    private var reading: ServiceMachine.Reading { settings.reading }

    private var isClosing: Bool { error != nil || settings.stop.isRaised }

    /// Whether a window without an occurrence in progress continues.
    private mutating func mustWait() -> Bool {
        let hasMore = machine.hasReadySends(at: reading)
        if settings.stop.isRaised {
            if hasMore || wasStopped { error = error ?? .interrupted }
            return false
        }
        guard error == nil, isWhole, hasMore else { return false }
        if let left = sends.settling(at: reading) {
            applier.report(.settles(seconds: left.components.seconds + 1))
        }
        return true
    }
}

// MARK: - Commands

extension WindowLoop {
    private mutating func take(_ commands: [ServiceMachine.Command]) {
        self.commands += commands
        wake = commands.compactMap(\.pause).first
    }

    private mutating func performCommands(in group: inout DiscardingTaskGroup) async {
        let commands = commands
        self.commands = []
        do throws(ApplyError) {
            try await giveUp(commands)
        } catch {
            fail(error)
        }
        var entries: [WindowSends.Entry] = []
        for command in commands {
            switch command {
            case .start(let id): if let entry = sends[id] { entries.append(entry) }
            case .report(let notice): settings.report(notice)
            // An occurrence in progress looks at the stop signal itself.
            case .expire, .skip, .wake, .drain: break
            }
        }
        start(entries, in: &group)
    }

    private mutating func start(
        _ entries: [WindowSends.Entry],
        in group: inout DiscardingTaskGroup
    ) {
        guard !entries.isEmpty else { return }
        guard !isClosing else {
            wasStopped = settings.stop.isRaised
            return
        }
        let (applier, run, inbox) = (applier, run, inbox)
        var short: [ShortSending.Start] = []
        for entry in entries {
            let (step, context, number) = (entry.step, entry.context, startCount)
            startCount += 1
            runningCount += 1
            if entries.count >= Self.fewestTogether, let send = applier.short(step, in: context) {
                short.append(ShortSending.Start(send, in: context, number: number))
                continue
            }
            group.addTask {
                let part = await applier.part(of: step, in: context, during: run)
                inbox.post([
                    ShortSending.End(number: number, occurrence: step.occurrence, part: part)
                ])
            }
        }
        guard !short.isEmpty else { return }
        let sending = ShortSending(applier, in: run, through: starts) { inbox.post($0) }
        group.addTask { [short] in await sending.perform(short) }
    }

    /// Records all sends that are too late, together.
    private mutating func giveUp(
        _ commands: [ServiceMachine.Command]
    ) async throws(ApplyError) {
        guard !isClosing else { return }
        var late: [LateSend] = []
        for command in commands {
            guard let (id, isExpired) = command.tooLate, let entry = sends[id] else { continue }
            sends.end(id, mayGoOn: false)
            late.append(LateSend(entry.step, isExpired: isExpired))
        }
        if !late.isEmpty { try await applier.giveUp(late, in: run, into: &own) }
    }

    /// Continues the loop when the machine asks for it, and at least once a second.
    private mutating func startTimer(in group: inout DiscardingTaskGroup) {
        guard !isClosing else { return }
        let length = min(wake ?? Self.longestPause, Self.longestPause)
        let end = settings.steady.now + length
        if let timer, timer <= end { return }
        timer = end
        let (stop, inbox) = (settings.stop, inbox)
        group.addTask {
            try? await stop.pause(for: length)
            inbox.pass(end)
        }
    }
}

// MARK: - Events

extension WindowLoop {
    /// Keeps the first error; after it, nothing starts.
    private mutating func fail(_ error: ApplyError) {
        self.error = self.error ?? error
        starts.close()
    }

    private mutating func take(_ ended: ShortSending.End) {
        runningCount -= 1
        parts[ended.number] = ended.part
        if let error = ended.part.error { fail(error) }
        guard let entry = sends[ended.occurrence] else { return }
        let resumption = ended.part.deferred.map(\.until).min()
        let isRolloutStopped = !ended.part.stoppedRollouts.isEmpty
        if isRolloutStopped || ended.part.deferred.contains(where: \.isBetweenStages) {
            waitingRollouts.insert(ended.occurrence)
        }
        sends.end(ended.occurrence, mayGoOn: resumption != nil || isRolloutStopped)
        lookSoon(after: entry, resumption: resumption)
        let tally = ended.part.tally
        if entry.step.isFanOut, tally[.accepted] + tally[.unknown] > 0 {
            machine.accepted(reach: entry.context.plan.reach(of: entry.step), at: reading)
        }
        guard !isClosing else { return }
        take(machine.receive(.ended(ended.occurrence), at: reading))
    }

    /// Looks for the rest of an occurrence that was held, and for the next slot of its schedule.
    private mutating func lookSoon(after entry: WindowSends.Entry, resumption: Instant?) {
        let slot = reading.wall.advanced(bySeconds: Self.lookAgain)
        nextLook = [nextLook, resumption, entry.isRepeating ? slot : nil].compactMap(\.self).min()
    }

    private mutating func timePassed(_ end: Duration, look: ServiceWindow.Look) async {
        let now = reading
        if let timer, timer <= end { self.timer = nil }
        guard !isClosing else {
            if error == nil { take(machine.receive(.stop, at: now)) }
            return
        }
        do throws(ApplyError) {
            try await lookAtState(look, at: now)
        } catch {
            fail(error)
        }
    }

    private mutating func lookAtState(
        _ look: ServiceWindow.Look,
        at now: ServiceMachine.Reading
    ) async throws(ApplyError) {
        try await lookAtQueue(at: now)
        if !isWhole, !isEndAwaited, let nextLook, now.wall >= nextLook {
            try await takeNewSends(look)
        } else if now.steady - lastPauses >= Self.longestPause {
            lastPauses = now.steady
            take(machine.receive(.paused(try await applier.pauses()), at: reading))
        } else {
            take(machine.receive(.time, at: now))
        }
    }

    /// Ends the window soon if another process or a user waits for that, and looks for rollouts that a
    /// person continued.
    private mutating func lookAtQueue(at now: ServiceMachine.Reading) async throws(ApplyError) {
        guard !isWhole, !isEndAwaited, now.steady - lastQueue >= Self.longestPause else { return }
        lastQueue = now.steady
        if try await applier.isRolloutDecided(among: waitingRollouts) {
            waitingRollouts = []
            nextLook = now.wall
        }
        guard try await applier.isEndAwaited() else { return }
        isEndAwaited = true
        take(machine.receive(.endAwaited, at: now))
    }

    /// Adds what became due since the last plan.
    private mutating func takeNewSends(_ look: ServiceWindow.Look) async throws(ApplyError) {
        let again = reading.wall.advanced(bySeconds: Self.lookAgain)
        guard let work = await look(sends.parts) else {
            nextLook = again
            return take(machine.receive(.time, at: reading))
        }
        let actions = sends.new(in: work.plan)
        // The plan does not know what it schedules.
        nextLook = [work.next, actions.isEmpty ? nil : again].compactMap(\.self).min()
            .map { max($0, reading.wall.advanced(bySeconds: 1)) }
        if !actions.isEmpty {
            try await applier.extend(with: actions, in: run, into: &own)
            let parts = Set(actions.map(\.part))
            own.deferred += work.plan.deferrals
                .filter { parts.contains(SendPart(of: $0.occurrence)) }
                .map { DeferredSend(occurrence: $0.occurrence, until: $0.until) }
            let gate = try await applier.gate(of: work.plan)
            sends.add(actions, of: work.plan, behind: gate, at: reading)
        }
        take(machine.receive(.scheduled(sends.due), at: reading))
    }
}
