import Glibc

/// Waits for input with poll(2).
package enum InputReadiness {
    /// Whether input arrives, or the other side closes, before the deadline.
    ///
    /// If the deadline has passed, checks once. Blocks the thread.
    package static func wait(
        for descriptor: CInt,
        until deadline: ContinuousClock.Instant
    ) -> Bool {
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            // Rounded up, so that the last wait does not end before the deadline.
            let milliseconds = min(60_000, left / .milliseconds(1)).rounded(.up)
            var wish = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&wish, 1, CInt(milliseconds))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
            if count == 0, left == .zero { return false }
        }
    }
}

/// Waits in steps for descriptors, so that the caller can look for other events in between.
extension InputReadiness {
    /// Which of the descriptors have input, or were closed by the other side.
    ///
    /// Waits at most for the duration, and blocks the thread.
    package static func among(_ descriptors: [CInt], atMost limit: Duration) -> [Bool] {
        wait(for: descriptors, events: POLLIN, atMost: limit)
    }

    /// Whether a descriptor accepts output, or was closed by the other side.
    ///
    /// Waits at most for the duration, and blocks the thread.
    package static func acceptsOutput(_ descriptor: CInt, atMost limit: Duration) -> Bool {
        wait(for: [descriptor], events: POLLOUT, atMost: limit)[0]
    }

    /// Whether a descriptor has input or accepts output, or was closed by the other side.
    ///
    /// Waits at most for the duration, and blocks the thread.
    package static func acceptsInputOrOutput(
        _ descriptor: CInt,
        atMost limit: Duration
    ) -> Bool {
        wait(for: [descriptor], events: POLLIN | POLLOUT, atMost: limit)[0]
    }

    private static func wait(
        for descriptors: [CInt],
        events: CInt,
        atMost limit: Duration
    ) -> [Bool] {
        var wishes = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
        let milliseconds = max(0, limit / .milliseconds(1)).rounded(.up)
        let count = poll(&wishes, nfds_t(wishes.count), CInt(min(60_000, milliseconds)))
        return wishes.map { count > 0 && $0.revents != 0 }
    }
}
