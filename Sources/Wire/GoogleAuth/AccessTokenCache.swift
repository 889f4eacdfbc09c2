import Synchronization

/// Holds the current access token and renews it before it expires, once for all callers.
///
/// A class, because senders and the renewal share it. Callers never wait while the token is valid.
package final class AccessTokenCache: Sendable {
    private struct State {
        var token: AccessToken?
        /// When the token was requested, on the clock of `time`; its lifetime starts then at the
        /// earliest.
        var asked: Duration = .zero
        var renewal: Task<Result<AccessToken, TokenError>, Never>?
    }

    private let state = Mutex(State())
    private let time: TokenTime
    private let fetch: @Sendable () async throws(TokenError) -> AccessToken

    package init(
        time: TokenTime = .monotonic,
        fetch: @escaping @Sendable () async throws(TokenError) -> AccessToken
    ) {
        self.time = time
        self.fetch = fetch
    }

    /// Returns the current token if it is valid, and a new one otherwise.
    package func token() async throws(TokenError) -> AccessToken {
        let now = time.now()
        let living = state.withLock { state -> AccessToken? in
            guard let token = state.token, now < state.asked + token.life else { return nil }
            return token
        }
        if let living { return living }
        return try await renewed()
    }

    /// Returns a new token, even if the current one is still valid, because it was refused or
    /// expires soon.
    ///
    /// Concurrent callers get the same token.
    package func renewed() async throws(TokenError) -> AccessToken {
        let renewal = state.withLock { state in
            if let running = state.renewal { return running }
            let task = Task { await self.ask() }
            state.renewal = task
            return task
        }
        return try await renewal.value.get()
    }

    private func ask() async -> Result<AccessToken, TokenError> {
        let beginning = time.now()
        let result: Result<AccessToken, TokenError>
        do throws(TokenError) {
            result = .success(try await fetch())
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            state.renewal = nil
            guard case .success(let token) = result else { return }
            state.token = token
            state.asked = beginning
        }
        return result
    }

    /// Renews the token before each expiry and reports each new token, until its task is cancelled.
    ///
    /// Failed renewals are repeated, at most one minute apart. The current token may still be
    /// valid; if it is not, refused requests report the cause.
    package func keepFresh(_ use: @Sendable (AccessToken) -> Void) async {
        var failures = 0
        while !Task.isCancelled {
            let due = dueTime()
            let now = time.now()
            if now < due {
                await time.sleep(due - now)
                continue
            }
            do throws(TokenError) {
                use(try await renewed())
                failures = 0
            } catch {
                failures += 1
                await time.sleep(RenewalTiming.pause(after: failures))
            }
        }
    }

    private func dueTime() -> Duration {
        state.withLock { state in
            guard let token = state.token else { return .zero }
            return state.asked + RenewalTiming.age(of: token.life)
        }
    }
}

/// Decides when tokens are renewed.
package enum RenewalTiming {
    /// Returns the age at which a token is renewed.
    ///
    /// That is 3 min 45 s before its expiry, as in google-auth, or half of a shorter lifetime; at
    /// least one second.
    package static func age(of life: Duration) -> Duration {
        max(life - min(.seconds(225), life / 2), .seconds(1))
    }

    /// Returns the pause after this many consecutive failures.
    package static func pause(after failures: Int) -> Duration {
        .seconds(min(60, 1 << min(6, max(0, failures - 1))))
    }
}

/// A monotonic clock with a sleep function.
package struct TokenTime: Sendable {
    package let now: @Sendable () -> Duration
    /// Returns early if the task is cancelled.
    package let sleep: @Sendable (Duration) async -> Void

    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static let monotonic: TokenTime = {
        let beginning = ContinuousClock.now
        return TokenTime(
            now: { beginning.duration(to: .now) },
            sleep: { try? await Task.sleep(for: $0) }
        )
    }()
}
