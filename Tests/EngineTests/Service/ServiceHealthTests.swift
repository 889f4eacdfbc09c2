import Service
import State
import Testing
import Time

struct ServiceHealthTests {
    private static let start = Instant(secondsSince1970: 1_800_000_000)

    private static func after(_ seconds: Int64) -> Instant { start.advanced(bySeconds: seconds) }

    /// A service whose state was read and that has nothing to do.
    private static func ready() -> ServiceHealth {
        var health = ServiceHealth(at: start)
        _ = health.receive(.looked(isIdle: true), at: start)
        return health
    }

    private static func problems(_ health: ServiceHealth) -> [ServiceProblem] {
        health.standing.map(\.problem)
    }

    @Test func `is not ready before the state was read`() {
        var health = ServiceHealth(at: Self.start)
        #expect(!health.isReady)
        #expect(Self.problems(health) == [.starting])
        #expect(health.receive(.looked(isIdle: false), at: Self.after(1)) == [.ended(.starting)])
        #expect(health.isReady)
    }

    @Test func `a standby is ready, and not while the active service is stopped`() {
        var health = ServiceHealth(at: Self.start)
        #expect(health.receive(.held(stuck: nil), at: Self.after(1)) == [.ended(.starting)])
        #expect(health.isReady)
        #expect(health.receive(.held(stuck: "stopped"), at: Self.after(2)).count == 1)
        #expect(Self.problems(health) == [.lock])
        #expect(health.receive(.held(stuck: nil), at: Self.after(3)) == [.ended(.lock)])
        #expect(health.isReady)
    }

    @Test func `a lock that is held leaves other problems`() {
        var health = Self.ready()
        _ = health.receive(.token(failure: "revoked"), at: Self.after(1))
        _ = health.receive(.held(stuck: "held"), at: Self.after(2))
        #expect(Self.problems(health) == [.credential, .lock])
        _ = health.receive(.held(stuck: nil), at: Self.after(3))
        #expect(Self.problems(health) == [.credential])
    }

    @Test func `a failed window makes the service unready until one succeeds`() {
        var health = Self.ready()
        let began = health.receive(.failed(.server, reason: "no route"), at: Self.after(5))
        #expect(began.count == 1)
        #expect(health.standing.first?.since == Self.after(5))
        #expect(health.standing.first?.reason == "no route")
        #expect(health.receive(.failed(.server, reason: "time-out"), at: Self.after(35)) == [])
        #expect(health.standing.first?.since == Self.after(5))
        #expect(health.standing.first?.reason == "time-out")
        #expect(
            health.receive(.ended(reachedServer: true), at: Self.after(65)) == [.ended(.server)]
        )
        #expect(health.isReady)
    }

    @Test func `another failure replaces the one of the previous window`() {
        var health = Self.ready()
        _ = health.receive(.failed(.lock, reason: "held"), at: Self.after(1))
        _ = health.receive(.failed(.disk, reason: "full"), at: Self.after(2))
        #expect(Self.problems(health) == [.disk])
    }

    @Test(arguments: [ServiceProblem.state, .lock, .disk, .server, .guard, .failure])
    func `without work, the failures of windows end`(problem: ServiceProblem) {
        var health = Self.ready()
        _ = health.receive(.failed(problem, reason: ""), at: Self.after(1))
        _ = health.receive(.looked(isIdle: false), at: Self.after(2))
        #expect(Self.problems(health) == [problem])
        _ = health.receive(.looked(isIdle: true), at: Self.after(3))
        #expect(health.isReady)
    }

    @Test func `a refused caller stays refused until FCM answers or the credential is new`() {
        var health = Self.ready()
        _ = health.receive(.failed(.access, reason: "403"), at: Self.after(1))
        _ = health.receive(.looked(isIdle: true), at: Self.after(2))
        _ = health.receive(.token(failure: nil), at: Self.after(3))
        _ = health.receive(.ended(reachedServer: false), at: Self.after(4))
        #expect(Self.problems(health) == [.access])
        var answered = health
        _ = answered.receive(.ended(reachedServer: true), at: Self.after(5))
        #expect(answered.isReady)
        _ = health.receive(.reloaded, at: Self.after(5))
        #expect(health.isReady)
    }

    @Test func `a credential without a token is a problem while nothing is due`() {
        var health = Self.ready()
        _ = health.receive(.token(failure: "invalid_grant"), at: Self.after(1))
        _ = health.receive(.looked(isIdle: true), at: Self.after(2))
        #expect(Self.problems(health) == [.credential])
        #expect(health.receive(.token(failure: nil), at: Self.after(3)) == [.ended(.credential)])
        #expect(health.isReady)
    }

    @Test func `a send that FCM answers shows that the credential works`() {
        var health = Self.ready()
        _ = health.receive(.token(failure: "invalid_grant"), at: Self.after(1))
        _ = health.receive(.ended(reachedServer: true), at: Self.after(2))
        #expect(health.isReady)
    }

    @Test func `a clock behind the last run is a problem until it has caught up`() {
        var health = Self.ready()
        _ = health.receive(.clock(behind: "an hour"), at: Self.start)
        _ = health.receive(.looked(isIdle: true), at: Self.start)
        _ = health.receive(.ended(reachedServer: true), at: Self.start)
        #expect(Self.problems(health) == [.clock])
        #expect(health.receive(.clock(behind: nil), at: Self.after(1)) == [.ended(.clock)])
    }

    @Test func `names the longest problem first`() {
        var health = Self.ready()
        _ = health.receive(.token(failure: "x"), at: Self.after(1))
        _ = health.receive(.clock(behind: "x"), at: Self.after(2))
        #expect(Self.problems(health) == [.credential, .clock])
    }

    @Test func `a full disk and a foreign state are told apart`() {
        #expect(ServiceProblem(StateStoreError.diskFull(path: "s")) == .disk)
        #expect(ServiceProblem(StateStoreError.readOnly(path: "s")) == .disk)
        #expect(ServiceProblem(StateStoreError.locked(holder: nil)) == .lock)
        #expect(ServiceProblem(StateStoreError.replaced(path: "s")) == .state)
    }
}
