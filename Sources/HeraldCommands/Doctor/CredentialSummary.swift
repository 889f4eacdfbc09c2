import CampaignExecution
import CampaignModel
import CampaignReporting
import GoogleAuth

/// What can be told of the credential that an environment names, without what is secret of it.
struct CredentialSummary {
    let words: String
    let tokenWords: String
    /// The project that it belongs to, where it says so.
    private let project: String?

    init(
        _ endpoint: CampaignModel.Environment.Endpoint,
        _ pipeline: Pipeline
    ) throws(CommandFailure) {
        guard case .emulator(_, _, let credentials?) = endpoint else {
            words = "none is needed: the emulator takes any token"
            tokenWords = "a fixed word"
            project = nil
            return
        }
        _ = try EmulatorCredentials(credentials, pipeline)
        words = "a service account's key"
        tokenWords = "obtained"
        project = nil
    }

    func projectFinding(
        _ endpoint: CampaignModel.Environment.Endpoint,
        _ project: Project
    ) -> CheckupFinding {
        .ok(.project, "\(project.id.rawValue); an emulator takes any")
    }
}
