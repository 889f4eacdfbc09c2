import Synchronization

/// A settable clock and a recorded output; a class, because a view writes to it.
final class Screen: Sendable {
    private let beginning = ContinuousClock.now
    private let passed = Mutex(Duration.zero)
    private let written = Mutex<[String]>([])

    var now: ContinuousClock.Instant { beginning + passed.withLock { $0 } }

    func wait(_ seconds: Double) { passed.withLock { $0 += .seconds(seconds) } }

    func write(_ text: String) { written.withLock { $0.append(text) } }

    func take() -> [String] {
        written.withLock { written in
            defer { written = [] }
            return written
        }
    }
}
