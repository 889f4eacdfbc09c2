import SystemIO

/// The source of the current time; it is passed in, so that it can be set.
package struct WallClock: Sendable {
    package let now: @Sendable () -> Instant

    package init(now: @escaping @Sendable () -> Instant) {
        self.now = now
    }

    /// The operating system's clock.
    package static let system = WallClock {
        Instant(secondsSince1970: SystemClock.secondsSince1970)
    }

    /// A clock that always shows the same instant.
    package static func fixed(_ instant: Instant) -> WallClock {
        WallClock { instant }
    }
}
