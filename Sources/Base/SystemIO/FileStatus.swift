import Glibc

/// The file system's information about a file.
package struct FileStatus: Sendable {
    package let isFolder: Bool
    /// Whether it is not a directory, link, device or pipe.
    package let isFile: Bool
    package let isLink: Bool
    /// The number of the user who owns it.
    package let owner: UInt32
    /// The number of names (hard links).
    package let linkCount: Int
    /// The bits that `chmod` sets.
    package let permissions: UInt32
    package let size: Int
    package let device: UInt64
    package let number: UInt
    /// The time of the last write.
    package let seconds: Int
    package let nanoseconds: Int
    package let version: FileVersion

    /// nil if nothing exists at the path; a link that is not followed counts as a file.
    package init?(_ path: String, followsLink: Bool) {
        do throws(SystemError) {
            self = try .of(path, followsLink: followsLink)
        } catch {
            return nil
        }
    }

    package static func of(
        _ path: String,
        followsLink: Bool = true
    ) throws(SystemError) -> FileStatus {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .last }
        return FileStatus(status)
    }

    init(_ status: stat) {
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isFile = status.st_mode & S_IFMT == S_IFREG
        isLink = status.st_mode & S_IFMT == S_IFLNK
        owner = status.st_uid
        linkCount = Int(status.st_nlink)
        permissions = status.st_mode & 0o7777
        size = Int(status.st_size)
        device = UInt64(status.st_dev)
        number = UInt(status.st_ino)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        version = FileVersion(status)
    }
}

/// The metadata that differ after a file was written or replaced.
package struct FileVersion: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt
    private let size: Int
    /// The time of the last write.
    private let writeSeconds: Int
    private let writeNanoseconds: Int
    /// The time of the last change of the metadata.
    private let changeSeconds: Int
    private let changeNanoseconds: Int

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        number = UInt(status.st_ino)
        size = Int(status.st_size)
        writeSeconds = status.st_mtim.tv_sec
        writeNanoseconds = status.st_mtim.tv_nsec
        changeSeconds = status.st_ctim.tv_sec
        changeNanoseconds = status.st_ctim.tv_nsec
    }
}
