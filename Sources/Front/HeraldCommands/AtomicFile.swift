import CampaignLoading
import FoundationEssentials
import Glibc

/// Replaces a file's contents atomically.
///
/// Writes a new file in the same directory, syncs it, and renames it over the old file. A reader
/// sees either the old or the new contents, even after a power cut.
struct AtomicFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Writes the file with permissions `mode`.
    ///
    /// The given check runs just before the rename and may refuse.
    func write(
        _ bytes: [UInt8],
        mode: mode_t,
        after look: () throws(FileProblem) -> Void = {}
    ) throws(FileProblem) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let new = try temporaryFile(bytes, in: folder, mode)
        do throws(FileProblem) {
            try look()
            guard rename(new, path) == 0 else { throw .now }
        } catch {
            unlink(new)
            throw error
        }
        synchronise(folder)
    }

    /// Writes the contents to a new file, syncs it, and returns its path.
    private func temporaryFile(
        _ bytes: [UInt8],
        in folder: String,
        _ mode: mode_t
    ) throws(FileProblem) -> String {
        let path = "\(folder)/.herald-new-\(getpid())"
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .now }
        defer { close(file) }
        guard writeAll(bytes, to: file), fchmod(file, mode) == 0, fsync(file) == 0 else {
            let problem = FileProblem.now
            unlink(path)
            throw problem
        }
        return path
    }

    private func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// Syncs the directory, so that the rename survives a power cut.
    private func synchronise(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

extension FileProblem {
    /// The operating system's description of the last error.
    static var now: FileProblem { FileProblem(reason: String(cString: strerror(errno))) }
}
