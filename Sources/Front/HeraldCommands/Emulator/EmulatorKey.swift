import CampaignModel
import GoogleAuth
import HTTPTransport
import Presentation

/// The service account for requesting access tokens from an emulator.
struct EmulatorKey {
    private let key: ServiceAccountKey

    init(
        _ credentials: FCMAccount.Credentials,
        in session: Session
    ) throws(CommandFailure) {
        guard credentials != .applicationDefault else {
            throw CommandFailure(.defaultCredentialsForEmulator, exit: .invalidFiles)
        }
        let google = try GoogleCredentials(credentials, for: .emulator, in: session)
        guard case .serviceAccount(let key) = google.credential else {
            throw CommandFailure(.noServiceAccount(in: google.source))
        }
        self.key = key
    }

    /// Requests tokens from the emulator at `url` and ignores the key's token URI: an emulator
    /// environment never contacts Google.
    func tokens(
        from url: String,
        over transport: any Transport,
        in session: Session
    ) async throws(CommandFailure) -> TokenSupply {
        try await TokenSupply(
            .serviceAccount(key.asking(at: url + "/token")),
            over: transport,
            clock: session.clock,
            from: url
        )
    }
}
