import Synchronization

/// The access token in use, renewed before it expires, once for all who need it.
///
/// A class, because those who send and the renewal share it. While the token lives nobody waits for
/// another.
package final class AccessTokenCache: Sendable {
    private struct State {
        var token: AccessToken?
        /// When it was asked for, on the clock of `time`: it lives from then on at the earliest.
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

    /// The token, where it lives; else another.
    package func token() async throws(TokenError) -> AccessToken {
        let now = time.now()
        let living = state.withLock { state -> AccessToken? in
            guard let token = state.token, now < state.asked + token.life else { return nil }
            return token
        }
        if let living { return living }
        return try await renewed()
    }

    /// Another token, however long the one in use may live: it was refused, or soon expires.
    ///
    /// Whoever asks while it is being asked for gets the same.
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

    /// Renews the token before it expires, again and again, and tells of each; ends when its task is
    /// cancelled.
    ///
    /// What fails is tried again, in the end every minute: the token in use may still live, and
    /// whoever is refused with one that does not says what is wrong.
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

/// When tokens are renewed.
package enum RenewalTiming {
    /// How old a token gets: it is renewed 3 min 45 s before its expiry, as google-auth does, or
    /// after half of a shorter life; never within a second.
    package static func age(of life: Duration) -> Duration {
        max(life - min(.seconds(225), life / 2), .seconds(1))
    }

    /// How long to wait after so many failures in a row.
    package static func pause(after failures: Int) -> Duration {
        .seconds(min(60, 1 << min(6, max(0, failures - 1))))
    }
}

/// A clock that never goes back, and waiting on it.
package struct TokenTime: Sendable {
    package let now: @Sendable () -> Duration
    /// Returns early where the task is cancelled.
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
