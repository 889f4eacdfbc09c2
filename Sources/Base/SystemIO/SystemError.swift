import Glibc

/// An error number of the operating system (`errno`).
package struct SystemError: Error, Hashable, Sendable {
    package let number: CInt

    package init(number: CInt) {
        self.number = number
    }

    /// The error of the last failed call of this thread.
    static var last: SystemError { SystemError(number: errno) }

    /// The operating system's description, such as `No such file or directory`.
    package var reason: String { String(cString: strerror(number)) }
}

// The errors that the program distinguishes, with their POSIX names.
extension SystemError {
    /// `EACCES`.
    package static let accessDenied = SystemError(number: EACCES)
    /// `EADDRINUSE`.
    package static let addressInUse = SystemError(number: EADDRINUSE)
    /// `EEXIST`.
    package static let alreadyExists = SystemError(number: EEXIST)
    /// `EFBIG`.
    package static let fileTooLarge = SystemError(number: EFBIG)
    /// `EIO`.
    package static let inputOutput = SystemError(number: EIO)
    /// `EISDIR`.
    package static let isFolder = SystemError(number: EISDIR)
    /// `ELOOP`: the links form a loop, or `File.Options.refusingLinks` refused one.
    package static let linkLoop = SystemError(number: ELOOP)
    /// `ENAMETOOLONG`.
    package static let nameTooLong = SystemError(number: ENAMETOOLONG)
    /// `ENOSPC`.
    package static let noSpace = SystemError(number: ENOSPC)
    /// `ENOTDIR`.
    package static let notAFolder = SystemError(number: ENOTDIR)
    /// `ENOENT`.
    package static let notFound = SystemError(number: ENOENT)
    /// `EPERM`.
    package static let notPermitted = SystemError(number: EPERM)
    /// `ENOSYS`.
    package static let notImplemented = SystemError(number: ENOSYS)
    /// `EOPNOTSUPP`.
    package static let notSupported = SystemError(number: EOPNOTSUPP)
    /// `EDQUOT`.
    package static let quotaExceeded = SystemError(number: EDQUOT)
    /// `EROFS`.
    package static let readOnlyFileSystem = SystemError(number: EROFS)
    /// `EMLINK`.
    package static let tooManyLinks = SystemError(number: EMLINK)
    /// `EWOULDBLOCK`, the same number as `EAGAIN`.
    package static let wouldBlock = SystemError(number: EWOULDBLOCK)
    /// `EINVAL`.
    static let invalidArgument = SystemError(number: EINVAL)
    /// `EINTR`.
    static let interrupted = SystemError(number: EINTR)

    /// Whether a file system without hard links returns this error for `link`.
    package var isForLackOfLinks: Bool {
        [.notPermitted, .notImplemented, .notSupported, .tooManyLinks].contains(self)
    }
}
