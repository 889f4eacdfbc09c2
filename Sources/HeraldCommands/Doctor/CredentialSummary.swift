import CampaignExecution
import CampaignModel
import CampaignReporting
import GoogleAuth

/// What can be told of the credential that an environment names, without what is secret of it.
struct CredentialSummary {
    let words: String
    let tokenWords: String

    init(
        _ endpoint: CampaignModel.Environment.Endpoint,
        _ pipeline: Pipeline
    ) throws(CommandFailure) {
        switch endpoint {
        case .emulator(_, _, let credentials?):
            _ = try EmulatorKey(credentials, pipeline)
            words = "a service account's key"
            tokenWords = "obtained"
        case .fcm(let account):
            let google = try GoogleCredentials(account.credentials, pipeline)
            words = "\(google.credential.kind), from \(google.source)"
            tokenWords = "obtained; it is renewed in time"
        case .emulator, .embeddedEmulator, .unresolved:
            words = "none is needed: the emulator takes any token"
            tokenWords = "a fixed word"
        }
    }

    /// After a token was obtained, which is not asked for where credential and environment differ.
    func projectFinding(
        _ endpoint: CampaignModel.Environment.Endpoint,
        _ project: Project
    ) -> CheckupFinding {
        guard case .fcm(let account) = endpoint else {
            return .ok(.project, "\(project.id.rawValue); an emulator takes any")
        }
        return .ok(.project, "\(account.projectID); nothing says that the credential is another's")
    }
}
