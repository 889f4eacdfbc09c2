package import CampaignModel

/// What commands report about a credential and its access token.
package enum CredentialWording {
    package static let metadataServer = "the metadata server"
    package static let notNeeded = "not needed: the emulator accepts any token"

    /// `account`: the address of the service account; nil for a credential of another kind.
    package static func credential(
        _ kind: String,
        of account: String?,
        from source: String
    ) -> String {
        let owner = account.map { " (\(TextStyle.safe($0)))" } ?? ""
        return "\(kind)\(owner), from \(source)"
    }

    package static func emulatorProject(_ project: ProjectID) -> String {
        "\(project.rawValue); an emulator accepts any project"
    }

    /// `project`: the project that the environment and the credential agree on.
    ///
    /// `isNamed`: whether the credential names it.
    package static func project(_ project: String, isNamed: Bool) -> String {
        project + (isNamed ? ", as in the credential" : "; the credential names no project")
    }

    /// Why an expired access token was not replaced.
    package static func notRenewed(by server: String, because reason: String) -> String {
        "\(server) issued no new access token:  \(reason)"
    }

    /// `lifetime`: nil if no token is needed.
    package static func token(validFor lifetime: Duration?) -> String {
        guard let lifetime else { return notNeeded }
        let seconds = lifetime.components.seconds
        let minutes = Int(seconds / 60)
        let text = minutes > 0 ? minutes.counting("minute") : "\(seconds) s"
        return "obtained; valid for \(text) and renewed before it expires"
    }
}
