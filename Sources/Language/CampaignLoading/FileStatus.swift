package import Glibc

/// What the file system says of a file.
///
/// It is asked here because a module that sees the whole of Foundation takes `stat` for a part of
/// that.
package struct FileStatus: Sendable {
    package let isFolder: Bool
    /// Neither a folder nor a link, device or pipe.
    package let isFile: Bool
    /// The bits that `chmod` sets.
    package let permissions: mode_t
    package let size: Int
    package let number: UInt
    /// When it was last written to.
    package let seconds: Int
    package let nanoseconds: Int

    /// Nil where there is nothing; a link that is not followed is a file itself.
    package init?(_ path: String, followsLink: Bool) {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isFile = status.st_mode & S_IFMT == S_IFREG
        permissions = status.st_mode & 0o7777
        size = Int(status.st_size)
        number = UInt(status.st_ino)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
