import Glibc

/// Operations on paths.
package enum FileSystem {
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// - Throws: Why this process may not write the file.
    package static func checkWritable(_ path: String) throws(SystemError) {
        guard access(path, W_OK) == 0 else { throw .last }
    }

    /// Deletes a file; a missing file is not an error.
    package static func delete(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || SystemError.last == .notFound else { throw .last }
    }

    /// Removes a file, if possible.
    package static func remove(_ path: String) {
        unlink(path)
    }

    /// Replaces any file that has the new name.
    package static func rename(_ path: String, to other: String) throws(SystemError) {
        guard Glibc.rename(path, other) == 0 else { throw .last }
    }

    /// Gives a file a second name, which must be new.
    package static func link(_ path: String, as other: String) throws(SystemError) {
        guard Glibc.link(path, other) == 0 else { throw .last }
    }

    /// The directory that contains a path.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether the file system of a path reports no free space; false if it does not report.
    package static func isFull(at path: String) -> Bool {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return false }
        return status.f_blocks > 0
            && (status.f_bavail == 0 || status.f_files > 0 && status.f_favail == 0)
    }
}

/// The contents of a small file.
package enum FileContents {
    case bytes([UInt8])
    /// The file does not exist, or it is a directory.
    case absent
    /// The file exists but cannot be read, or is larger than the limit.
    case unreadable

    package init(of path: String, limit: Int) {
        do throws(SystemError) {
            // Without this option, opening a named pipe would block.
            let file = try File(path, for: .reading, options: .withoutWaiting)
            let bytes = try file.readToEnd(limit: limit)
            self = bytes.count <= limit ? .bytes(bytes) : .unreadable
        } catch {
            switch error {
            case .notFound, .notAFolder, .isFolder, .nameTooLong: self = .absent
            default: self = .unreadable
            }
        }
    }
}
