import Glibc

/// Wakes a thread that waits for descriptors, through a pipe.
///
/// A class, because the waiting thread and its callers share the descriptors.
package final class WakeupDescriptor: Sendable {
    /// Readable from `wake` to `clear`.
    package let descriptor: CInt
    private let writeEnd: CInt

    /// Nil if the process has no free descriptors.
    package init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = HighDescriptor.moved(ends[0])
        writeEnd = HighDescriptor.moved(ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// A full pipe wakes the thread, too.
    package func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    package func clear() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}

/// A second descriptor of a socket that a library owns, with which another thread can end it.
///
/// A class, because it owns the descriptor.
package final class SharedSocket: Sendable {
    package let descriptor: CInt

    /// Nil if the process has no free descriptor.
    package init?(of descriptor: CInt) {
        let copy = HighDescriptor.copy(of: descriptor)
        guard copy >= 0 else { return nil }
        self.descriptor = copy
    }

    deinit {
        close(descriptor)
    }

    /// Ends the connection in both directions; calls that wait for it return.
    package func end() { _ = shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// Reports a peer that no longer answers as an error within about a minute.
    package func detectDeadPeer() {
        set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
        let level = CInt(IPPROTO_TCP)
        set(level, TCP_KEEPIDLE, to: 30)
        set(level, TCP_KEEPINTVL, to: 10)
        set(level, TCP_KEEPCNT, to: 3)
        // In milliseconds: for data that is not acknowledged.
        set(level, TCP_USER_TIMEOUT, to: 60_000)
        set(level, TCP_NODELAY, to: 1)
    }

    private func set(_ level: CInt, _ option: CInt, to value: CInt) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
    }
}

/// Descriptors above those that select(2) accepts, which are left to libraries that need them.
private enum HighDescriptor {
    /// `FD_SETSIZE`.
    private static let first: CInt = 1_024

    /// A negative number if that is impossible.
    static func copy(of descriptor: CInt) -> CInt {
        let high = fcntl(descriptor, F_DUPFD_CLOEXEC, first)
        return high >= 0 ? high : fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }

    /// The descriptor itself if the process may not have a higher one.
    static func moved(_ descriptor: CInt) -> CInt {
        let high = fcntl(descriptor, F_DUPFD_CLOEXEC, first)
        guard high >= 0 else { return descriptor }
        close(descriptor)
        return high
    }
}
