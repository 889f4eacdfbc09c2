package import Time

/// Decides whether a service is ready, from what its windows and its checks report.
package struct ServiceHealth: Hashable, Sendable {
    /// A problem that lasts.
    package struct Standing: Hashable, Sendable {
        package let problem: ServiceProblem
        package let since: Instant
        /// For people; contains no secret.
        package let reason: String
    }

    package enum Event: Hashable, Sendable {
        /// The state was read; something is due unless `isIdle`.
        case looked(isIdle: Bool)
        /// The clock is before the last run, or has caught up with it if the reason is nil.
        case clock(behind: String?)
        /// A window ended without an error. `reachedServer`: whether it sent requests.
        case ended(reachedServer: Bool)
        /// A window or a look at the state failed.
        case failed(ServiceProblem, reason: String)
        /// Another process has the lock, or is the service that sends; the reason is nil if it may
        /// end by itself.
        case held(stuck: String?)
        /// An access token was requested; the reason is nil if there is one.
        case token(failure: String?)
        /// The operator replaced the credential, so FCM's answers to the old one no longer count.
        case reloaded
    }

    package enum Change: Hashable, Sendable {
        case began(Standing)
        case ended(ServiceProblem)
    }

    private var problems: [ServiceProblem: Standing]

    package init(at now: Instant) {
        problems = [.starting: Standing(problem: .starting, since: now, reason: "")]
    }

    package var isReady: Bool { problems.isEmpty }

    /// The problems, the longest first.
    package var standing: [Standing] {
        problems.values.sorted {
            ($0.since, $0.problem.rawValue) < ($1.since, $1.problem.rawValue)
        }
    }

    /// What a failed window can have found; the next window replaces it.
    private static let ofWindows: Set<ServiceProblem> = [
        .access, .lock, .disk, .state, .server, .guard, .failure,
    ]

    package mutating func receive(_ event: Event, at now: Instant) -> [Change] {
        switch event {
        case .looked(let isIdle):
            // Without work, no window would end these.
            return end(
                isIdle
                    ? [.starting, .state, .lock, .disk, .server, .guard, .failure]
                    : [.starting]
            )
        case .clock(let behind):
            return behind.map { begin(.clock, reason: $0, at: now) } ?? end([.clock])
        case .ended(let reachedServer):
            return end(
                reachedServer
                    ? Self.ofWindows.union([.credential])
                    : Self.ofWindows.subtracting([.access, .server])
            )
        case .failed(let problem, let reason):
            let others = Self.ofWindows.subtracting([problem])
            return end(others.union([.starting])) + begin(problem, reason: reason, at: now)
        case .held(let reason):
            let changes = end(reason == nil ? [.starting, .lock] : [.starting])
            return changes + (reason.map { begin(.lock, reason: $0, at: now) } ?? [])
        case .token(let failure):
            return failure.map { begin(.credential, reason: $0, at: now) } ?? end([.credential])
        case .reloaded: return end([.access])
        }
    }

    private mutating func begin(
        _ problem: ServiceProblem,
        reason: String,
        at now: Instant
    ) -> [Change] {
        let earlier = problems[problem]
        let standing = Standing(problem: problem, since: earlier?.since ?? now, reason: reason)
        problems[problem] = standing
        return earlier == nil ? [.began(standing)] : []
    }

    private mutating func end(_ ended: Set<ServiceProblem>) -> [Change] {
        let found = ended.filter { problems[$0] != nil }.sorted { $0.rawValue < $1.rawValue }
        for problem in found { problems[problem] = nil }
        return found.map(Change.ended)
    }
}
