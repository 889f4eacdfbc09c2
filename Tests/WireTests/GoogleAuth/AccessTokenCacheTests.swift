import GoogleAuth
import Synchronization
import Testing

struct AccessTokenCacheTests {
    @Test(arguments: [
        (3_600, 3_375), (3_599, 3_374), (450, 225), (300, 150), (4, 2), (1, 1),
    ])
    func `renews a token 225 s before its expiry, or after half of a short lifetime`(
        life: Int,
        age: Int
    ) {
        #expect(RenewalTiming.age(of: .seconds(life)) == .seconds(age))
    }

    @Test func `pauses between failures double, up to a minute`() {
        let pauses = [0, 1, 2, 3, 6, 7, 100].map { RenewalTiming.pause(after: $0) }
        #expect(pauses == [1, 1, 2, 4, 32, 60, 60].map { .seconds($0) })
    }

    @Test func `returns a valid token again, but not an expired one`() async throws {
        let time = VirtualTime()
        let mint = Mint(life: .seconds(100))
        let cache = AccessTokenCache(time: time.tokenTime) { () throws(TokenError) in
            try mint.next()
        }
        #expect(try await cache.token().bearer == "1")
        time.pass(.seconds(99))
        #expect(try await cache.token().bearer == "1")
        time.pass(.seconds(1))
        #expect(try await cache.token().bearer == "2")
        #expect(try await cache.renewed().bearer == "3")
        #expect(try await cache.token().bearer == "3")
    }

    @Test func `concurrent callers get the same token`() async throws {
        let mint = Mint(life: .seconds(100))
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let cache = AccessTokenCache { () async throws(TokenError) in
            for await _ in gate { break }
            return try mint.next()
        }
        let bearers = await withTaskGroup(of: String?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    number % 2 == 0
                        ? try? await cache.renewed().bearer : try? await cache.token().bearer
                }
            }
            group.addTask {
                opener.finish()
                return nil
            }
            return await group.reduce(into: Set<String>()) { if let text = $1 { $0.insert(text) } }
        }
        // A call after the first renewal got its token, or caused one more renewal.
        #expect(bearers.isSubset(of: ["1", "2"]) || mint.count <= 25)
        #expect(bearers.contains("1"))
    }

    @Test func `all callers share a failure, and the next call tries again`() async throws {
        let mint = Mint(life: .seconds(100), failing: [1])
        let cache = AccessTokenCache { () throws(TokenError) in try mint.next() }
        await #expect(throws: TokenError.self) { try await cache.token() }
        #expect(try await cache.token().bearer == "2")
    }

    @Test func `renews tokens in time, and retries failures`() async throws {
        let time = VirtualTime()
        let mint = Mint(life: .seconds(3_600), failing: [2, 3])
        let cache = AccessTokenCache(time: time.tokenTime) { () throws(TokenError) in
            try mint.next()
        }
        #expect(try await cache.token().bearer == "1")
        let (tokens, progress) = AsyncStream.makeStream(of: (String, Duration).self)
        let keeper = Task {
            await cache.keepFresh { progress.yield(($0.bearer, time.tokenTime.now())) }
        }
        var seen: [(String, Duration)] = []
        for await token in tokens {
            seen.append(token)
            if seen.count == 2 { break }
        }
        keeper.cancel()
        // Due at 3375; after failures at 3375 and 3376 it waits for 1 and 2 s.
        #expect(seen[0] == ("4", .seconds(3_378)))
        #expect(seen[1] == ("5", .seconds(3_378 + 3_375)))
    }
}

/// A clock that advances only during a sleep, or manually.
private final class VirtualTime: Sendable {
    private let current = Mutex(Duration.zero)

    var tokenTime: TokenTime {
        TokenTime(
            now: { self.current.withLock { $0 } },
            sleep: { duration in
                self.pass(duration)
                await Task.yield()
            }
        )
    }

    func pass(_ duration: Duration) {
        current.withLock { $0 += duration }
    }
}

/// Creates numbered tokens.
private final class Mint: Sendable {
    private let last = Mutex(0)
    private let life: Duration
    private let failing: Set<Int>

    init(life: Duration, failing: Set<Int> = []) {
        self.life = life
        self.failing = failing
    }

    var count: Int { last.withLock { $0 } }

    func next() throws(TokenError) -> AccessToken {
        let number = last.withLock { last in
            last += 1
            return last
        }
        if failing.contains(number) {
            throw TokenError(step: .assertion, cause: .unexpected(status: 500))
        }
        return AccessToken(bearer: "\(number)", life: life)
    }
}
