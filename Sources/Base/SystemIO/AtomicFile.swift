/// Replaces a file's contents atomically.
///
/// Writes a new file in the same directory, syncs it, and renames it over the old file. A reader
/// sees either the old or the new contents, even after a power cut.
package struct AtomicFile {
    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    package func write(_ bytes: [UInt8], permissions: UInt32) throws(SystemError) {
        var draft = try draft(bytes, permissions: permissions)
        try publish(&draft)
    }

    /// Writes and syncs the contents, for a caller that checks something just before the rename.
    package func draft(
        _ bytes: [UInt8],
        permissions: UInt32
    ) throws(SystemError) -> FileDraft {
        let folder = FileSystem.parent(of: path)
        return try FileDraft(
            bytes,
            at: "\(folder)/.herald-new-\(CurrentProcess.id)",
            permissions: permissions,
            isSynced: true
        )
    }

    /// Renames a draft of this file and syncs the directory.
    package func publish(_ draft: inout FileDraft) throws(SystemError) {
        try draft.replace(path)
        // The file is replaced. If this fails, only a power cut can undo that.
        try? Folder.sync(FileSystem.parent(of: path))
    }
}

/// A new file that replaces another, or that the deinitializer removes.
package struct FileDraft: ~Copyable {
    private let path: String
    private var isPublished = false

    /// Creates the file, in place of any earlier draft at the path.
    ///
    /// `isSynced`: whether the contents must be on the disk before the file can be published.
    package init(
        _ bytes: [UInt8],
        at path: String,
        permissions: UInt32,
        isSynced: Bool
    ) throws(SystemError) {
        self.path = path
        FileSystem.remove(path)
        let file = try File(path, for: .writing, options: [.new, .refusingLinks])
        do throws(SystemError) {
            try file.write(bytes)
            try file.setPermissions(permissions)
            if isSynced { try file.sync() }
        } catch {
            FileSystem.remove(path)
            throw error
        }
    }

    /// Gives the file its final name.
    package mutating func replace(_ other: String) throws(SystemError) {
        try FileSystem.rename(path, to: other)
        isPublished = true
    }

    deinit {
        if !isPublished { FileSystem.remove(path) }
    }
}
