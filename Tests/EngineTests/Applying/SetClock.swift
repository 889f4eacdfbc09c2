import Synchronization
import Time

/// A clock that a test sets.
final class SetClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ text: String) throws {
        instant = Mutex(try QuietScene.instant(text))
    }

    func set(_ instant: Instant) { self.instant.withLock { $0 = instant } }

    var now: Instant { instant.withLock { $0 } }

    var wall: WallClock { WallClock { [self] in now } }
}
