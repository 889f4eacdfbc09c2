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
            found = try GoogleCredentials(credentials, for: .emulator, in: session)
        case .fcm(let account):
            found = try GoogleCredentials(
                account.credentials,
                for: .fcm(allowsAnyServer: false),
                in: session
            )
        case .emulator, .embeddedEmulator, .unresolved: found = nil
        }
    }

    var wording: String {
        guard let found else { return CredentialWording.notNeeded }
        return CredentialWording.credential(
            found.credential.kind,
            of: found.account,
            from: found.source
        )
    }

    /// Checks the settings that the credential needs, and whether it is for this project.
    func findings(
        in project: Project,
        variables: [String: String]
    ) async -> [CheckupFinding] {
        guard let found, let account else {
            return [
                .ok(.credentials, seen: wording),
                .ok(.project, seen: CredentialWording.emulatorProject(project.id)),
            ]
        }
        let transport = CommandContext.current.openTransport(CurlTransport.Configuration())
        var findings: [CheckupFinding] = []
        do throws(CommandFailure) {
            try await found.refuseMissingMachine(transport)
            findings.append(.ok(.credentials, seen: wording))
            try await found.refuseOtherProject(than: account, variables: variables, over: transport)
            let isNamed = found.credential.projectID != nil
            findings.append(
                .ok(
                    .project,
                    seen: CredentialWording.project(account.projectID, isNamed: isNamed)
                )
            )
        } catch {
            let check = findings.isEmpty ? CheckupFinding.Check.credentials : .project
            findings.append(CheckupFinding(check, error: error.text))
        }
        await transport.shutdown()
        return findings
    }
}

extension GoogleCredentials {
    /// The address of the service account; nil for a credential of another kind.
    fileprivate var account: String? {
        if case .serviceAccount(let key) = credential { key.email } else { nil }
    }
}
