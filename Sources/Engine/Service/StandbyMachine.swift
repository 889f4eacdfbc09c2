package import State

/// Decides what a service reports while another process has what it needs to send, without a clock
/// or a lock.
package struct StandbyMachine: Hashable, Sendable {
    /// What the service waits for.
    package enum Need: Hashable, Sendable {
        /// To be the service that sends: another one is active.
        case role
        /// The lock of the state: another process writes.
        case lock
    }

    /// Another process that has it.
    package struct Holder: Hashable, Sendable {
        /// Nil if the process has not described itself.
        package let worker: Worker?
        /// Whether a signal has stopped it, so that it neither sends nor ends.
        package let isStopped: Bool

        package init(_ worker: Worker?, isStopped: Bool) {
            self.worker = worker
            self.isStopped = isStopped
        }
    }

    package enum Event: Hashable, Sendable {
        /// An attempt found another process.
        case held(Holder)
        /// The service has what it waited for.
        case acquired
    }

    package enum Command: Hashable, Sendable {
        /// The wait began, or the holder changed.
        case report(Holder)
        /// The wait may not end by itself.
        case stuck(Holder)
        /// The holder may end by itself again.
        case moving
        /// The wait was reported and is over; it lasted this long.
        case ended(after: Duration)
    }

    private let need: Need
    /// How long another process may hold the lock before that is a problem.
    private let limit: Duration
    /// Nil until the first event.
    private var beginning: Duration?
    private var reported: Holder?
    private var isStuck = false

    /// Most processes hold the lock for less, and describe themselves within that time.
    package static let silence = Duration.milliseconds(500)

    /// `limit`: how long another process may hold the lock; an active service may have its role for
    /// any time.
    package init(waitingFor need: Need, limit: Duration) {
        self.need = need
        self.limit = limit
    }

    /// `now`: on the clock that never jumps.
    package mutating func receive(_ event: Event, at now: Duration) -> [Command] {
        let beginning = self.beginning ?? now
        self.beginning = beginning
        switch event {
        case .held(let holder):
            guard mayReport(holder, after: now - beginning) else { return [] }
            return report(holder) + judge(holder, after: now - beginning)
        case .acquired:
            guard reported != nil else { return [] }
            reported = nil
            return (isStuck ? [.moving] : []) + [.ended(after: now - beginning)]
        }
    }

    private func mayReport(_ holder: Holder, after wait: Duration) -> Bool {
        switch need {
        case .role: reported != nil || holder.worker != nil || wait >= Self.silence
        case .lock: wait >= min(Self.silence, limit)
        }
    }

    private mutating func report(_ holder: Holder) -> [Command] {
        // A holder that is about to describe itself, or to end, is none.
        guard holder != reported, reported == nil || holder.worker != nil else { return [] }
        reported = holder
        return [.report(holder)]
    }

    private mutating func judge(_ holder: Holder, after wait: Duration) -> [Command] {
        let isStuck = holder.isStopped || need == .lock && wait >= limit
        defer { self.isStuck = isStuck }
        guard isStuck != self.isStuck else { return [] }
        return [isStuck ? .stuck(holder) : .moving]
    }
}
