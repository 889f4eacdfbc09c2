/// Decides when each notification is posted, without a clock and a network.
///
/// Notifications are posted one at a time, in the order in which they occurred. Each is posted until
/// it is accepted, at least once and at most `Limits.attempts` times.
package struct NotificationMachine: Sendable {
    package struct Limits: Hashable, Sendable {
        /// The number of attempts after which a notification is dropped.
        package let attempts: Int
        /// The pause after the first failed attempt, which doubles with each further one.
        package let firstPause: Duration
        package let longestPause: Duration
        /// The number of notifications that wait; a further one replaces the oldest.
        package let queue: Int

        package init(
            attempts: Int = 12,
            firstPause: Duration = .seconds(1),
            longestPause: Duration = .seconds(300),
            queue: Int = 1_000
        ) {
            self.attempts = attempts
            self.firstPause = firstPause
            self.longestPause = longestPause
            self.queue = queue
        }
    }

    package enum Event: Hashable, Sendable {
        case occurred(ServiceNotification)
        /// The answer to the attempt in progress.
        case answered(WebhookAnswer)
        /// Time has passed.
        case time
        /// The service ends: each waiting notification gets one more attempt at once.
        case stop
    }

    package enum Command: Hashable, Sendable {
        case post(ServiceNotification)
        /// Reports the time again after this long.
        case wake(after: Duration)
        case report(Note)
    }

    package enum Note: Hashable, Sendable {
        case delivered(ServiceNotification)
        case retrying(ServiceNotification, reason: String, after: Duration)
        case dropped(ServiceNotification, reason: Reason)
    }

    /// Why a notification was dropped.
    package enum Reason: Hashable, Sendable {
        /// The receiver refused it.
        case refused(String)
        /// The last attempt failed.
        case unavailable(String)
        /// Too many others wait.
        case full
    }

    private let limits: Limits
    private var waiting: [ServiceNotification] = []
    /// Whether the first waiting notification is being posted.
    private var isPosting = false
    /// The number of failed attempts of the first waiting notification.
    private var failures = 0
    /// When the first waiting notification may be posted again.
    private var pausedUntil: Duration = .zero
    private var isStopping = false
    /// The notifications that were accepted for delivery before, newest last.
    private var known: [NotificationID] = []

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Whether nothing waits.
    package var isIdle: Bool { waiting.isEmpty }

    package var waitingCount: Int { waiting.count }

    /// `now`: the time of a clock that never jumps.
    package mutating func receive(_ event: Event, at now: Duration) -> [Command] {
        var commands: [Command] = []
        switch event {
        case .occurred(let notification): commands = add(notification)
        case .answered(let answer): commands = finish(answer, at: now)
        case .time: break
        case .stop:
            isStopping = true
            pausedUntil = now
        }
        return commands + advance(at: now)
    }

    private mutating func add(_ notification: ServiceNotification) -> [Command] {
        guard !known.contains(notification.id) else { return [] }
        known.append(notification.id)
        if known.count > limits.queue * 4 { known.removeFirst() }
        waiting.append(notification)
        // The first one may be on its way.
        guard waiting.count > limits.queue else { return [] }
        let index = isPosting ? 1 : 0
        if index == 0 { failures = 0 }
        return [.report(.dropped(waiting.remove(at: index), reason: .full))]
    }

    private mutating func finish(_ answer: WebhookAnswer, at now: Duration) -> [Command] {
        guard isPosting, let posted = waiting.first else { return [] }
        isPosting = false
        switch answer {
        case .delivered: return [drop(.delivered(posted))]
        case .refused(let reason):
            return [drop(.dropped(posted, reason: .refused(reason)))]
        case .unavailable(let reason, let wanted):
            failures += 1
            guard failures < limits.attempts, !isStopping else {
                return [drop(.dropped(posted, reason: .unavailable(reason)))]
            }
            let pause = max(backoff, min(wanted ?? .zero, limits.longestPause))
            pausedUntil = now + pause
            return [.report(.retrying(posted, reason: reason, after: pause))]
        }
    }

    private mutating func drop(_ note: Note) -> Command {
        waiting.removeFirst()
        failures = 0
        return .report(note)
    }

    private var backoff: Duration {
        min(limits.longestPause, limits.firstPause * (1 << min(failures - 1, 20)))
    }

    private mutating func advance(at now: Duration) -> [Command] {
        guard !isPosting, let next = waiting.first else { return [] }
        guard now >= pausedUntil else { return [.wake(after: pausedUntil - now)] }
        isPosting = true
        return [.post(next)]
    }
}
