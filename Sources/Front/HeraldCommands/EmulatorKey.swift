import Applying
import CampaignModel
import Presentation
import CurlTransport
import GoogleAuth

/// The service account with which an emulator is asked for access tokens.
struct EmulatorKey {
    private let key: ServiceAccountKey

    init(
        _ credentials: FCMAccount.Credentials,
        _ pipeline: Pipeline
    ) throws(CommandFailure) {
        guard credentials != .applicationDefault else {
            throw CommandFailure(
                "an emulator requires the key of a service account that it knows, not application "
                    + "default credentials",
                help: "name a key file; create one with `herald emulator make-key`",
                exit: .invalidFiles
            )
        }
        let google = try GoogleCredentials(credentials, pipeline)
        guard case .serviceAccount(let key) = google.credential else {
            throw CommandFailure(
                "\(google.source) contains no service account key, which an emulator requires",
                help: "create one with `herald emulator make-key`"
            )
        }
        self.key = key
    }

    /// Tokens from the emulator's own endpoint, wherever the key says that they are given: no
    /// emulator's environment reaches Google.
    func tokens(
        from url: String,
        over transport: CurlTransport,
        _ pipeline: Pipeline
    ) async throws(CommandFailure) -> TokenSupply {
        try await TokenSupply(
            .serviceAccount(key.asking(at: url + "/token")),
            over: transport,
            clock: pipeline.surroundings.clock,
            from: url
        )
    }
}
