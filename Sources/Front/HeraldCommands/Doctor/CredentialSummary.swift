import CampaignModel
import CurlTransport
import GoogleAuth
import Preflight
import Presentation

/// Summarises an environment's credential without its secrets.
struct CredentialSummary {
    /// Nil if the environment is an emulator that accepts any token.
    private let found: GoogleCredentials?
    private let account: FCMAccount?

    init(
        of endpoint: CampaignModel.Environment.Endpoint,
        in session: Session
    ) throws(CommandFailure) {
        account = endpoint.account
        switch endpoint {
        case .emulator(_, _, let credentials?):
            found = try GoogleCredentials(credentials, in: session)
        case .fcm(let account): found = try GoogleCredentials(account.credentials, in: session)
        case .emulator, .embeddedEmulator, .unresolved: found = nil
        }
    }

    var wording: String {
        guard let found else { return "not needed: the emulator accepts any token" }
        return "\(found.wording), from \(found.source)"
    }

    /// Checks the settings that the credential needs, and whether it is for this project.
    func findings(
        in project: Project,
        variables: [String: String]
    ) async -> [CheckupFinding] {
        guard let found, let account else {
            return [
                .ok(.credentials, seen: wording),
                .ok(.project, seen: "\(project.id.rawValue); an emulator accepts any project"),
            ]
        }
        let transport = CommandContext.current.openTransport(CurlTransport.Configuration())
        var findings: [CheckupFinding] = []
        do throws(CommandFailure) {
            try await found.refuseMissingMachine(transport)
            findings.append(.ok(.credentials, seen: wording))
            try await found.refuseOtherProject(than: account, variables: variables, over: transport)
            findings.append(.ok(.project, seen: account.projectID + agreement(found)))
        } catch {
            let check = findings.isEmpty ? CheckupFinding.Check.credentials : .project
            findings.append(
                CheckupFinding(
                    check,
                    verdict: .problem,
                    seen: error.text.message,
                    wayOut: error.text.help
                )
            )
        }
        await transport.shutdown()
        return findings
    }

    private func agreement(_ found: GoogleCredentials) -> String {
        found.credential.projectID == nil
            ? "; the credential names no project" : ", as in the credential"
    }

    func tokenWording(_ life: Duration?) -> String {
        guard let life else { return "not needed: the emulator accepts any token" }
        let minutes = life.components.seconds / 60
        let text = minutes > 0 ? minutes.counting("minute") : "\(life.components.seconds) s"
        return "obtained; valid for \(text) and renewed before it expires"
    }
}

extension GoogleCredentials {
    /// The kind of the credential, and the service account's address.
    fileprivate var wording: String {
        guard case .serviceAccount(let key) = credential else { return credential.kind }
        return "\(credential.kind) (\(TextStyle.safe(key.email)))"
    }
}

extension Int64 {
    fileprivate func counting(_ singular: String) -> String { Int(self).counting(singular) }
}
