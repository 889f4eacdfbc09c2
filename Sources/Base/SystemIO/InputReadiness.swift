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
