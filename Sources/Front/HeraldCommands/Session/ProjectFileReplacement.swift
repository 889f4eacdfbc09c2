import CampaignLoading
import FoundationEssentials
import Presentation
import SystemIO

/// Replaces the contents of a project's file atomically; the file keeps its permissions.
///
/// Refuses a file that is reached through a link, because it may be outside of the project.
struct ProjectFileReplacement {
    private let path: String
    private let directory: String

    /// `path` is relative to the project's directory.
    init(_ path: String, in directory: String) {
        self.path = path
        self.directory = directory
    }

    /// Replaces `old`, the contents that were read.
    ///
    /// Refuses if the file has changed since then.
    func replace(_ old: [UInt8], with new: [UInt8]) throws(FileProblem) {
        guard let project = RealPath.of(directory) else { throw .missing }
        let full = (project == "/" ? "" : project) + "/" + path
        guard RealPath.of(full) == full else {
            throw FileProblem(reason: FileProblemWording.linked)
        }
        guard let status = FileStatus(full, followsLink: false) else { throw .missing }
        let file = AtomicFile(full)
        var draft = try problems { () throws(SystemError) in
            try FileSystem.checkWritable(full)
            return try file.draft(new, permissions: status.permissions)
        }
        try compare(full, with: old)
        try problems { () throws(SystemError) in try file.publish(&draft) }
    }

    private func problems<Value: ~Copyable>(
        _ work: () throws(SystemError) -> Value
    ) throws(FileProblem) -> Value {
        do throws(SystemError) {
            return try work()
        } catch {
            throw FileProblem(reason: error.reason)
        }
    }

    /// Compares the file just before the rename.
    ///
    /// An edit that is saved after this check is lost, as with any editor.
    private func compare(_ full: String, with old: [UInt8]) throws(FileProblem) {
        guard let bytes = try? Data(contentsOf: URL(filePath: full)), Array(bytes) == old else {
            throw FileProblem(reason: FileProblemWording.changed)
        }
    }
}

extension FileProblem {
    fileprivate static var missing: FileProblem {
        FileProblem(reason: FileProblemWording.missing)
    }
}
