#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the system says of a file without opening it.
///
/// It stands in this module because it sees no Foundation: where one does, the members of the
/// system's own structure belong to CoreFoundation, or not, by the order in which files are built.
package struct FileStatus: Hashable, Sendable {
    package let permissions: UInt32
    package let isFolder: Bool
    package let size: Int
    package let number: UInt
    /// The moment of the last change of the contents.
    package let seconds: Int
    package let nanoseconds: Int

    /// Nil where there is no such file, or no way to it.
    package init?(of path: String, followingLinks: Bool) {
        var status = stat()
        guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        permissions = UInt32(status.st_mode & 0o7777)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        size = Int(status.st_size)
        number = UInt(status.st_ino)
        #if canImport(Glibc)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
        #else
        seconds = status.st_mtimespec.tv_sec
        nanoseconds = status.st_mtimespec.tv_nsec
        #endif
    }
}
