import Approvals
import Planning
import Presentation
import SystemIO

/// The places of a plan's approvals.
struct ApprovalFiles {
    private let directory: String
    private let plan: PlanReference

    init(of plan: PlanReference, in directory: String) {
        self.plan = plan
        self.directory = directory
    }

    /// The largest file with approvals, in bytes.
    private static let limit = 16 << 20
    private static let suffix = ".approval"

    /// Returns the approvals that are next to the plan or in the project, and those at `paths`.
    func approvals(at paths: [String]) throws(CommandFailure) -> [SignedApproval?] {
        var found: [SignedApproval?] = []
        for path in try stored() + expanded(paths) {
            guard case .bytes(let bytes) = FileContents(of: path, limit: Self.limit) else {
                throw CommandFailure(.unreadableApprovals(path))
            }
            found += SignedApproval.approvals(in: String(decoding: bytes, as: UTF8.self))
        }
        return found
    }

    /// The path for a new approval of this principal.
    func path(for principal: String) -> String {
        let name = String(
            String.UnicodeScalarView(principal.unicodeScalars.map { Self.isPlain($0) ? $0 : "_" })
        )
        if let file = plan.file { return "\(file).\(name)\(Self.suffix)" }
        return "\(folder)/\(name)\(Self.suffix)"
    }

    /// Creates the folder of a new approval.
    func createFolder() throws(SystemError) {
        guard plan.file == nil else { return }
        for folder in [state, approvals, folder] { try Folder.create(folder) }
    }

    private var state: String { "\(directory)/\(Session.stateFolder)" }
    private var approvals: String { "\(state)/approvals" }
    private var folder: String { "\(approvals)/\(plan.digest.hash)" }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "@", ".", "_", "-", "+": true
        default: false
        }
    }

    private func stored() throws(CommandFailure) -> [String] {
        var paths: [String] = []
        if Folder.exists(folder) {
            paths = try entries(of: folder).filter { $0.hasSuffix(Self.suffix) }
        }
        guard let file = plan.file else { return paths }
        let prefix = (file.contains("/") ? file : "./\(file)") + "."
        return try paths
            + entries(of: FileSystem.parent(of: file)).filter {
                $0.hasPrefix(prefix) && $0.hasSuffix(Self.suffix)
            }
    }

    private func expanded(_ paths: [String]) throws(CommandFailure) -> [String] {
        var found: [String] = []
        for path in paths { found += Folder.exists(path) ? try entries(of: path) : [path] }
        return found
    }

    /// The files of a folder, by name.
    private func entries(of folder: String) throws(CommandFailure) -> [String] {
        do throws(SystemError) {
            return try Folder.entries(of: folder).filter { $0.kind == .file }
                .map { "\(folder)/\($0.name)" }.sorted()
        } catch {
            throw CommandFailure(.unreadableApprovals(folder))
        }
    }
}
