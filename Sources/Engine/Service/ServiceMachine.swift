package import CampaignModel
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
        /// More occurrences are sent at the same time if together they have at most this many
        /// requests.
        package let requests: Int
        /// The pace, which bounds the fan-outs.
        package let pace: Pace

        package init(occurrences: Int, requests: Int = 0, pace: Pace) {
            self.occurrences = occurrences
            self.requests = requests
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
        /// A started occurrence ended, or was interrupted.
        case ended(OccurrenceID)
        /// The pauses changed.
        case paused(Set<PauseScope>)
        /// Another process waits for the lock, or a user for the next window, so that nothing else
        /// starts in this one.
        case endAwaited
        /// The service must end.
        case stop
    }

    package enum Command: Hashable, Sendable {
        case start(OccurrenceID)
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
    }

    private var limits: Limits
    /// The time of the last run or start; nothing is sent before it.
    private var lastRun: Instant?
    private var permits: FanOutPermits
    private var waiting: WaitingSends
    private var running = RunningSends()
    private var isStopping = false
    private var isEndAwaited = false
    /// The time of the last run, while the clock is before it.
    package private(set) var behind: Instant?
    private var last: Reading?

    package init(_ limits: Limits, lastRun: Instant?) {
        self.limits = limits
        self.lastRun = lastRun
        permits = FanOutPermits(limits.pace)
        waiting = WaitingSends(fanOutRate: limits.pace.fanOutRate)
    }

    /// Uses other limits from now on; fan-outs keep their permits.
    package mutating func use(_ limits: Limits) {
        self.limits = limits
        permits.use(limits.pace)
        waiting.fanOutRate = limits.pace.fanOutRate
    }

    /// The number of started occurrences that have not ended.
    package var runningCount: Int { running.count }

    /// Forgets all sends after a window, whether or not it failed.
    ///
    /// The next event with the state's occurrences names those that remain.
    package mutating func endWindow() {
        running = RunningSends()
        waiting.removeAll()
        // The plan of the next window has no paused sends.
        waiting.pause([])
        isEndAwaited = false
    }

    /// Whether a send is due that is neither paused nor started.
    package func hasReadySends(at now: Reading) -> Bool {
        waiting.hasReady(at: now.wall)
    }

    /// Smaller differences between the clocks are adjustments of their speed.
    private static let smallestJump: Int64 = 2

    package mutating func receive(_ event: Event, at now: Reading) -> [Command] {
        var commands = jump(to: now)
        switch event {
        case .time: break
        case .scheduled(let sends):
            waiting.replace(with: sends.filter { !running.contains($0.occurrence) })
        case .ended(let id): running.remove(id)
        case .paused(let pauses): waiting.pause(pauses)
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
        if now.wall < last.wall { waiting.fileAgain() }
        let steady = (now.steady - last.steady).components.seconds
        let jumped = now.wall.seconds(since: last.wall) - steady
        return abs(jumped) >= Self.smallestJump ? [.report(.clockJumped(seconds: jumped))] : []
    }
}

extension ServiceMachine {
    /// Starts and ends what the time allows, and says when to look again.
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
        commands += waiting.file(at: now)
        guard !isEndAwaited else { return commands }
        startWaiting(at: now, into: &commands)
        return commands + (wake(at: now).map { [.wake(after: $0)] } ?? [])
    }

    /// Starts waiting sends in their order, as far as the limits allow.
    private mutating func startWaiting(at now: Reading, into commands: inout [Command]) {
        waiting.tidy()
        while let send = waiting.takeFirst(of: startable(at: now), at: now) {
            running.insert(send)
            if lastRun != nil { lastRun = now.wall }
            commands.append(.start(send.occurrence))
            waiting.tidy()
        }
    }

    /// The lanes whose first send may start.
    private func startable(at now: Reading) -> [WaitingSends.Lane] {
        openLanes.filter { !$0.isFanOut || nextPermit(at: now) == nil }
    }

    /// The lanes whose first send may start if it is no fan-out, or has a permit.
    private var openLanes: [WaitingSends.Lane] {
        waiting.openLanes.filter { hasRoom(for: $0) && !waitsForTurn($0) }
    }

    private func hasRoom(for lane: WaitingSends.Lane) -> Bool {
        if running.count < limits.occurrences { return true }
        guard let first = waiting.first(of: lane) else { return false }
        return running.requests + first.requests <= limits.requests
    }

    /// Whether another send is in progress whose messages the decision about the cap must see.
    private func waitsForTurn(_ lane: WaitingSends.Lane) -> Bool {
        lane.isCapped && running.cappedCount > 0
    }

    /// When a permit becomes free; nil if a fan-out may start now.
    private func nextPermit(at now: Reading) -> Duration? {
        guard limits.pace.holdsFanOuts else { return nil }
        // A started fan-out holds its permit from its acceptance on.
        if running.fanOutCount >= limits.pace.fanOuts { return now.steady }
        return permits.next(now: now.steady)
    }

    /// The time until something may change; nil if only events change something.
    private func wake(at now: Reading) -> Duration? {
        var times: [Duration] = []
        if let look = waiting.nextLook { times.append(.seconds(look.seconds(since: now.wall))) }
        if let settled = waiting.nextSettled { times.append(settled - now.steady) }
        if openLanes.contains(where: \.isFanOut), let free = nextPermit(at: now) {
            times.append(free - now.steady)
        }
        return times.filter { $0 > .zero }.min()
    }
}
