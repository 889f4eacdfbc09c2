import Glibc

/// An open file or other descriptor, which the deinitializer closes.
///
/// Child processes do not inherit it. Calls that a signal interrupts are repeated.
package struct File: ~Copyable, Sendable {
    package enum Access: Sendable {
        case reading
        case writing
        case readingAndWriting
    }

    package struct Options: OptionSet, Sendable {
        package let rawValue: CInt

        package init(rawValue: CInt) {
            self.rawValue = rawValue
        }

        /// Creates the file if there is none; only its owner can read and write it.
        package static let creating = Options(rawValue: O_CREAT)
        /// Creates the file and fails if it exists, even as a link.
        package static let new = Options(rawValue: O_CREAT | O_EXCL)
        package static let truncating = Options(rawValue: O_TRUNC)
        /// Every write goes to the end of the file.
        package static let appending = Options(rawValue: O_APPEND)
        /// Fails with `SystemError.linkLoop` if the path's last component is a link.
        package static let refusingLinks = Options(rawValue: O_NOFOLLOW)
        /// Does not wait for another process to open a named pipe.
        package static let withoutWaiting = Options(rawValue: O_NONBLOCK)
        /// Fails unless the path is a directory.
        static let folder = Options(rawValue: O_DIRECTORY)
    }

    let descriptor: CInt

    package init(
        _ path: String,
        for access: Access,
        options: Options = []
    ) throws(SystemError) {
        descriptor = open(path, access.flag | options.rawValue | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .last }
    }

    /// Takes ownership of an open descriptor.
    package init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Opens the same file again; both share their position and lock.
    package func duplicate() throws(SystemError) -> File {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .last }
        return File(owning: copy)
    }
}

extension File.Access {
    fileprivate var flag: CInt {
        switch self {
        case .reading: O_RDONLY
        case .writing: O_WRONLY
        case .readingAndWriting: O_RDWR
        }
    }
}

// MARK: - Metadata

extension File {
    package func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    /// Sets the bits that `chmod` sets.
    package func setPermissions(_ permissions: UInt32) throws(SystemError) {
        guard fchmod(descriptor, permissions) == 0 else { throw .last }
    }

    package func truncate(to size: Int) throws(SystemError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .last }
    }

    /// Waits until the contents are on the disk.
    package func sync() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
