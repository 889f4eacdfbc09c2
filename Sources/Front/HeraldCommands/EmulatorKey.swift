import Applying
import CampaignModel
import Presentation
import CurlTransport
import GoogleAuth

/// The service account for requesting access tokens from an emulator.
struct EmulatorKey {
    private let key: ServiceAccountKey

    init(
        _ credentials: FCMAccount.Credentials,
        _ pipeline: Pipeline
    ) throws(CommandFailure) {
        guard credentials != .applicationDefault else {
            throw CommandFailure(
                "an emulator takes the key of a service account that it knows, not application "
                    + "default credentials",
                help: "name its key file; `herald emulator make-key` makes one",
                exit: .invalidFiles
            )
        }
        let google = try GoogleCredentials(credentials, pipeline)
        guard case .serviceAccount(let key) = google.credential else {
            throw CommandFailure(
                "\(google.source) holds no service account's key, which an emulator needs",
                help: "`herald emulator make-key` makes one"
            )
        }
        self.key = key
    }

    /// Requests tokens from the emulator at `url` and ignores the key's token URI: an emulator
    /// environment never contacts Google.
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
