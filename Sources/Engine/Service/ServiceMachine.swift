package import CampaignModel
import Planning
import RateControl
package import State
package import Time

/// Decides when each recorded occurrence starts, without a clock, a state or a network.
///
/// The driver reports events with the time and performs the commands. Nothing waits for a send that
/// is held: the next one in the order goes first. Of the sends that the frequency cap limits, one at a
/// time is in progress; the others wait without taking a place of those that it does not limit.
package struct ServiceMachine: Sendable {
    /// What the machine may do at once.
    package struct Limits: Hashable, Sendable {
        /// The number of occurrences that are sent at the same time; they share one pace.
        package let occurrences: Int
        /// The pace, which bounds the fan-outs.
        package let pace: Pace

        package init(occurrences: Int, pace: Pace) {
            self.occurrences = occurrences
            self.pace = pace
        }
    }

    /// The time of an event.
    package struct Reading: Hashable, Sendable {
        /// The time of the wall clock, which can jump.
        package let wall: Instant
        /// The time of a clock that never jumps.
        package let steady: Duration

        package init(wall: Instant, steady: Duration) {
            self.wall = wall
            self.steady = steady
        }
    }

    package enum Event: Hashable, Sendable {
        /// Time has passed.
        case time
        /// The state's occurrences that are not finished and not in progress here; they replace
        /// those of earlier events.
        case scheduled([DueSend])
        /// A started occurrence ended, or was returned after `hold`.
        case ended(OccurrenceID)
        /// The pauses changed.
        case paused(Set<PauseScope>)
        /// FCM rejects the credential, or accepts it again.
        case credential(isUsable: Bool)
        /// Another process waits for the lock, or a user for the next window, so that nothing else
        /// starts in this one.
        case endAwaited
        /// The service must end.
        case stop
    }

    package enum Command: Hashable, Sendable {
        case start(OccurrenceID)
        /// Returns a list send in progress, because quiet hours begin.
        case hold(OccurrenceID, until: Instant)
        /// Records that the send is too late.
        case expire(OccurrenceID)
        /// Records that the send is too late, which its author allows.
        case skip(OccurrenceID)
        /// Reports the time again after this long, unless another event comes first.
        case wake(after: Duration)
        /// Starts no requests, and waits for those that are open.
        case drain
        case report(Notice)
    }

    package enum Notice: Hashable, Sendable {
        /// The wall clock moved by these seconds while the service ran.
        case clockJumped(seconds: Int64)
        /// The clock is behind the last run, so nothing is sent until it has caught up.
        case clockBehind(lastRun: Instant)
        case clockCaughtUp
        case credentialLost
        case credentialBack
    }

    private struct Running {
        let send: DueSend
        var isHeld = false

        /// When the next quiet hours begin, which return a list send.
        func nextHold(after now: Instant) -> Instant? {
            guard case .list = send.kind, !isHeld else { return nil }
            return send.deferral?.nextBeginning(after: now)
        }
    }

    private let limits: Limits
    /// The time of the last run or start; nothing is sent before it.
    private var lastRun: Instant?
    private var permits: FanOutPermits
    private var waiting: [DueSend] = []
    /// The new due times of fan-outs that would have lasted into quiet hours.
    private var heldUntil: [OccurrenceID: Instant] = [:]
    private var running: [OccurrenceID: Running] = [:]
    private var pauses: Set<PauseScope> = []
    private var isCredentialUsable = true
    private var isStopping = false
    private var isEndAwaited = false
    /// The time of the last run, while the clock is before it.
    package private(set) var behind: Instant?
    private var last: Reading?

    package init(_ limits: Limits, lastRun: Instant?) {
        self.limits = limits
        self.lastRun = lastRun
        permits = FanOutPermits(limits.pace)
    }

    /// The number of started occurrences that have not ended.
    package var runningCount: Int { running.count }

    /// Forgets all sends after a window, whether or not it failed.
    ///
    /// The next event with the state's occurrences names those that remain.
    package mutating func endWindow() {
        running = [:]
        waiting = []
        isEndAwaited = false
    }

    /// Whether a send is due that is neither paused nor started.
    package func hasReadySends(at now: Reading) -> Bool {
        waiting.contains { $0.fate(at: now.wall) == .send && !isPaused($0) }
    }

    private func isPaused(_ send: DueSend) -> Bool {
        pauses.contains(.everything) || pauses.contains(.campaign(send.occurrence.campaign))
    }

    /// Smaller differences between the clocks are adjustments of their speed.
    private static let smallestJump: Int64 = 2

    package mutating func receive(_ event: Event, at now: Reading) -> [Command] {
        var commands = jump(to: now)
        switch event {
        case .time: break
        case .scheduled(let sends):
            waiting = sends.filter { running[$0.occurrence] == nil }
                .map { send in heldUntil[send.occurrence].map(send.moved) ?? send }
            let known = Set(waiting.map(\.occurrence))
            heldUntil = heldUntil.filter { known.contains($0.key) }
        case .ended(let id): running.removeValue(forKey: id)
        case .paused(let pauses): self.pauses = pauses
        case .credential(let isUsable): commands += change(isCredentialUsable: isUsable)
        case .endAwaited: isEndAwaited = true
        case .stop:
            if !isStopping { commands.append(.drain) }
            isStopping = true
        }
        return commands + advance(at: now)
    }

    /// Holds a permit after FCM has accepted a fan-out.
    package mutating func accepted(reach: Int?, at now: Reading) {
        permits.hold(reach: reach, now: now.steady)
    }

    private mutating func jump(to now: Reading) -> [Command] {
        defer { last = now }
        guard let last else { return [] }
        let steady = (now.steady - last.steady).components.seconds
        let jumped = now.wall.seconds(since: last.wall) - steady
        return abs(jumped) >= Self.smallestJump ? [.report(.clockJumped(seconds: jumped))] : []
    }

    private mutating func change(isCredentialUsable isUsable: Bool) -> [Command] {
        guard isUsable != isCredentialUsable else { return [] }
        isCredentialUsable = isUsable
        return [.report(isUsable ? .credentialBack : .credentialLost)]
    }
}

extension ServiceMachine {
    /// Starts, holds and ends what the time allows, and says when to look again.
    private mutating func advance(at now: Reading) -> [Command] {
        guard !isStopping else { return [] }
        if let lastRun, now.wall < lastRun {
            let notice: [Command] =
                behind == nil ? [.report(.clockBehind(lastRun: lastRun))] : []
            behind = lastRun
            return notice + [.wake(after: .seconds(lastRun.seconds(since: now.wall)))]
        }
        var commands: [Command] = behind == nil ? [] : [.report(.clockCaughtUp)]
        behind = nil
        commands += holdRunning(at: now)
        guard isCredentialUsable, !isEndAwaited else { return commands }
        var wake = Wake(now)
        for run in running.values { wake.add(run.nextHold(after: now.wall)) }
        commands += startWaiting(at: now, wake: &wake)
        return commands + (wake.pause.map { [.wake(after: $0)] } ?? [])
    }

    /// Returns list sends when quiet hours begin.
    private mutating func holdRunning(at now: Reading) -> [Command] {
        var commands: [Command] = []
        for (id, run) in running.sorted(by: { $0.key < $1.key }) where !run.isHeld {
            guard case .list = run.send.kind, let deferral = run.send.deferral,
                deferral.isQuiet(now.wall)
            else { continue }
            running[id]?.isHeld = true
            commands.append(.hold(id, until: deferral.due(now.wall, at: now.wall)))
        }
        return commands
    }

    /// Starts waiting sends in their order, as far as the limits allow.
    private mutating func startWaiting(at now: Reading, wake: inout Wake) -> [Command] {
        var commands: [Command] = []
        var kept: [DueSend] = []
        var ready: [DueSend] = []
        for var send in waiting {
            switch fate(of: &send, at: now) {
            case .send: ready.append(send)
            case .skip: commands.append(.skip(send.occurrence))
            case .expire: commands.append(.expire(send.occurrence))
            case .wait(let moment):
                wake.add(moment)
                kept.append(send)
            }
        }
        for send in ready.inOrder(at: now.wall) {
            if isPaused(send) || running.count >= limits.occurrences || waitsForTurn(send) {
                kept.append(send)
                wake.add(deadlinesOf: send)
            } else if let free = send.settling(at: now) ?? nextPermit(for: send, at: now) {
                kept.append(send)
                wake.add(deadlinesOf: send)
                wake.add(steady: free)
            } else {
                running[send.occurrence] = Running(send: send)
                if lastRun != nil { lastRun = now.wall }
                commands.append(.start(send.occurrence))
                wake.add(running[send.occurrence]?.nextHold(after: now.wall))
            }
        }
        waiting = kept
        return commands
    }

    /// Whether another send is in progress whose messages the decision about the cap must see.
    private func waitsForTurn(_ send: DueSend) -> Bool {
        send.isCapped && running.values.contains(where: \.send.isCapped)
    }

    /// A fan-out that would last into quiet hours waits until they end, because an accepted send
    /// cannot be held.
    private mutating func fate(of send: inout DueSend, at now: Reading) -> DueSend.Fate {
        let fate = send.fate(at: now.wall)
        guard fate == .send, case .fanOut(let reach?) = send.kind, let deferral = send.deferral
        else { return fate }
        let length = Int64(reach / max(1, limits.pace.fanOutRate)) + 1
        let hold = QuietHold(deferral, length: length)
        guard let due = hold.end(at: now.wall) else { return .send }
        heldUntil[send.occurrence] = due
        send = send.moved(to: due)
        return .wait(until: due)
    }

    /// When a permit becomes free; nil if the send may start now.
    private func nextPermit(for send: DueSend, at now: Reading) -> Duration? {
        guard send.isFanOut, limits.pace.holdsFanOuts else { return nil }
        // A started fan-out holds its permit from its acceptance on.
        let started = running.values.count { $0.send.isFanOut }
        if started >= limits.pace.fanOuts { return now.steady }
        return permits.next(now: now.steady)
    }
}

/// The first time at which something may change.
private struct Wake {
    private let now: ServiceMachine.Reading
    /// The time until then; nil if nothing changes.
    private(set) var pause: Duration?

    init(_ now: ServiceMachine.Reading) {
        self.now = now
    }

    mutating func add(_ moment: Instant?) {
        guard let moment, moment > now.wall else { return }
        take(.seconds(moment.seconds(since: now.wall)))
    }

    /// `time`: on the clock that never jumps.
    mutating func add(steady time: Duration) {
        if time > now.steady { take(time - now.steady) }
    }

    /// Adds when waiting makes a send late, or ends its message.
    mutating func add(deadlinesOf send: DueSend) {
        add(send.timeliness.map { send.due.advanced(bySeconds: $0.policy.lateAfter + 1) })
        add(send.expires)
    }

    private mutating func take(_ length: Duration) {
        pause = pause.map { min($0, length) } ?? length
    }
}

extension DueSend {
    /// When joins have settled; nil if none have to settle any more.
    fileprivate func settling(at now: ServiceMachine.Reading) -> Duration? {
        settled.flatMap { $0 > now.steady ? $0 : nil }
    }
}

extension [DueSend] {
    /// By due time, then by priority, then by name.
    fileprivate func inOrder(at now: Instant) -> [DueSend] {
        map { (send: $0, due: $0.movedDue(at: now)) }
            .sorted { left, right in
                if left.due != right.due { return left.due < right.due }
                if left.send.priority != right.send.priority {
                    return left.send.priority > right.send.priority
                }
                return left.send.occurrence < right.send.occurrence
            }
            .map(\.send)
    }
}
