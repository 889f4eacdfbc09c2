import Glibc

/// Operations on directories.
package enum Folder {
    /// Whether the path is a directory that this process can list.
    package static func exists(_ path: String) -> Bool {
        do throws(SystemError) {
            _ = try File(path, for: .reading, options: .folder)
            return true
        } catch {
            return false
        }
    }

    /// Creates a directory that only its owner can use; one that exists stays.
    package static func create(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
    }

    /// Removes a directory that is empty.
    package static func removeEmpty(_ path: String) { rmdir(path) }

    /// Syncs a directory, so that new names in it survive a power cut.
    ///
    /// Some file systems cannot sync a directory and return `EINVAL`; they do not need it.
    package static func sync(_ path: String) throws(SystemError) {
        let folder = try File(path, for: .reading, options: .folder)
        do throws(SystemError) {
            try folder.sync()
        } catch {
            guard error == .invalidArgument else { throw error }
        }
    }

    package struct Entry: Sendable {
        package enum Kind: Sendable {
            case file
            case folder
            /// A link, pipe or device, or any file of a file system without types.
            case other
        }

        /// Bytes that are not UTF-8 are replaced.
        package let name: String
        /// Whether `name` is exactly the name of the file.
        package let isUTF8: Bool
        package let kind: Kind
    }

    /// Returns the contents of a directory in no particular order, without `.` and `..`.
    package static func entries(of path: String) throws(SystemError) -> [Entry] {
        guard let stream = opendir(path) else { throw .last }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let next = readdir(stream) {
            let entry = withUnsafeBytes(of: &next.pointee.d_name) { name in
                Entry(name: name.prefix { $0 != 0 }, type: Int(next.pointee.d_type))
            }
            if entry.name != ".", entry.name != ".." { entries.append(entry) }
        }
        return entries
    }
}

extension Folder.Entry {
    fileprivate init(name bytes: Slice<UnsafeRawBufferPointer>, type: Int) {
        name = String(decoding: bytes, as: UTF8.self)
        isUTF8 = name.utf8.elementsEqual(bytes)
        kind =
            switch type {
            case Int(DT_REG): .file
            case Int(DT_DIR): .folder
            default: .other
            }
    }
}
