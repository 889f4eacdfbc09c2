import CampaignLoading
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#endif

/// Puts another text into a file of a project, all of it or nothing.
///
/// The text is written to a new file beside the old one, brought to disk and given the old one's
/// name: whoever reads sees one or the other. A file that is reached over a link is left alone,
/// because it may belong to somebody else.
struct FileReplacement {
    private let path: String
    private let directory: String

    /// `path` is relative to the project's folder.
    init(_ path: String, in directory: String) {
        self.path = path
        self.directory = directory
    }

    /// `old`: what was read; another text in its place stays.
    func replace(_ old: [UInt8], with new: [UInt8]) throws(FileProblem) {
        guard let project = RealPath.of(directory) else { throw .missing }
        let full = (project == "/" ? "" : project) + "/" + path
        guard RealPath.of(full) == full else {
            throw FileProblem(reason: "it is reached over a link; mend the file that it leads to")
        }
        guard let status = FileStatus(full, followsLink: false) else { throw .missing }
        guard access(full, W_OK) == 0 else { throw .now }
        let folder = URL(filePath: full).deletingLastPathComponent().path
        let new = try temporaryFile(new, in: folder, status.permissions)
        do throws(FileProblem) {
            try compare(full, with: old)
            guard rename(new, full) == 0 else { throw .now }
        } catch {
            unlink(new)
            throw error
        }
        synchronise(folder)
    }

    /// As late as possible: what is saved after this look is lost, as with any editor.
    private func compare(_ full: String, with old: [UInt8]) throws(FileProblem) {
        guard let bytes = try? Data(contentsOf: URL(filePath: full)), Array(bytes) == old else {
            throw FileProblem(reason: "it changed while it was checked; run the command again")
        }
    }

    /// Returns the path of a new file, whose text is on disk.
    private func temporaryFile(
        _ bytes: [UInt8],
        in folder: String,
        _ mode: mode_t
    ) throws(FileProblem) -> String {
        let path = "\(folder)/.herald-fix-\(getpid())"
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
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    /// The name, too, is to outlast a power cut.
    private func synchronise(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

extension FileProblem {
    fileprivate static var missing: FileProblem { FileProblem(reason: "it is gone") }

    /// The last failure in the operating system's words.
    fileprivate static var now: FileProblem {
        FileProblem(reason: String(cString: strerror(errno)))
    }
}
