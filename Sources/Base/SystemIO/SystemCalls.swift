import Glibc

/// The calls to the operating system that this module makes.
package enum SystemCalls {
    package enum FileContents {
        case bytes([UInt8])
        /// The file does not exist, or it is a directory.
        case absent
        /// The file exists but cannot be read, or is larger than the limit.
        case unreadable
    }

    /// Seconds since 1970 by the system's clock.
    package static func now() -> Int64 {
        Int64(time(nil))
    }

    package static func isDirectory(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }

    package static func isReadable(_ path: String) -> Bool {
        access(path, R_OK) == 0
    }

    package static func contents(ofFile path: String, limit: Int) -> FileContents {
        // Without O_NONBLOCK, opening a named pipe would block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return failure() }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            guard let chunk = nextChunk(of: descriptor) else { return failure() }
            if chunk.isEmpty { return .bytes(bytes) }
            bytes += chunk
        }
        return .unreadable
    }

    /// Returns an empty array at the end of the file; nil if reading fails (see `errno`).
    private static func nextChunk(of descriptor: CInt) -> [UInt8]? {
        let size = 16_384
        var count = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
            repeat {
                count = read(descriptor, buffer.baseAddress, size)
            } while count < 0 && errno == EINTR
            initializedCount = max(0, count)
        }
        return count < 0 ? nil : chunk
    }

    private static func failure() -> FileContents {
        [ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG].contains(errno) ? .absent : .unreadable
    }
}
