import Approvals
import CampaignModel
import Planning
import Presentation
import SSHSignatures
import SystemIO

/// The rules of approvals, with the contents of their files.
extension Session {
    /// Returns the rules that the files declare; nil if they declare none.
    ///
    /// Exits with 65 if a file of them cannot be read.
    func approvalPolicy(
        of environment: CampaignModel.Environment
    ) throws(CommandFailure) -> ApprovalPolicy? {
        guard let rules = environment.settings.guards.approvals else { return nil }
        let signers = try text(of: rules.signers)
        try checking(rules.signers) { () throws(SignersFileError) in
            _ = try AllowedSigners(signers)
        }
        var revoked: String?
        if let path = rules.revoked {
            let text = try text(of: path)
            try checking(path) { () throws(SignersFileError) in _ = try RevokedKeys(text) }
            revoked = text
        }
        return ApprovalPolicy(rules, signers: signers, revoked: revoked)
    }

    private func checking(
        _ path: String,
        read: () throws(SignersFileError) -> Void
    ) throws(CommandFailure) {
        do throws(SignersFileError) { try read() } catch {
            throw CommandFailure(.unreadableSigners(path, error: error), exit: .invalidFiles)
        }
    }

    private func text(of path: String) throws(CommandFailure) -> String {
        let place = path.hasPrefix("/") ? path : "\(options.directory)/\(path)"
        try trust.requirePath(place)
        guard case .bytes(let bytes) = FileContents(of: place, limit: ApprovalPolicy.fileLimit),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw CommandFailure(.missingSigners(path), exit: .invalidFiles) }
        return text
    }
}
