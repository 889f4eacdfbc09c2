import CampaignLoading
import FoundationEssentials

import Glibc

/// Puts another text into a file of a project, all of it or nothing.
///
/// A file that is reached over a link is left alone, because it may belong to somebody else.
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
            throw FileProblem(reason: "its path contains a link; fix the linked file instead")
        }
        guard let status = FileStatus(full, followsLink: false) else { throw .missing }
        guard access(full, W_OK) == 0 else { throw .now }
        try AtomicFile(full).write(new, mode: status.permissions) { () throws(FileProblem) in
            try compare(full, with: old)
        }
    }

    /// As late as possible: what is saved after this look is lost, as with any editor.
    private func compare(_ full: String, with old: [UInt8]) throws(FileProblem) {
        guard let bytes = try? Data(contentsOf: URL(filePath: full)), Array(bytes) == old else {
            throw FileProblem(reason: "it changed during the check; run the command again")
        }
    }
}

extension FileProblem {
    fileprivate static var missing: FileProblem { FileProblem(reason: "it no longer exists") }
}
