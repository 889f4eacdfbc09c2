import CampaignExecution
import CampaignModel
import CampaignReporting
import CurlTransport
import FoundationEssentials
import GoogleAuth
import Scheduling

/// The service account with which an emulator is asked for access tokens.
struct EmulatorCredentials {
    private let key: ServiceAccountKey
    private let clock: WallClock

    init(
        _ credentials: FCMAccount.Credentials,
        _ pipeline: Pipeline
    ) throws(CommandFailure) {
        let name: String
        let contents: [UInt8]
        switch credentials {
        case .applicationDefault:
            throw CommandFailure(
                "application default credentials are not built yet",
                help: "name the key file of a service account",
                exit: .invalidFiles
            )
        case .file(let path):
            name = TextStyle.safe(path)
            let isAbsolute = path.hasPrefix("/")
            let full = isAbsolute ? path : pipeline.options.directory + "/" + path
            contents = try KeyFile(full).contents()
        case .variable(let variable):
            name = variable
            contents = Array((pipeline.surroundings.variables[variable] ?? "").utf8)
        }
        do throws(ServiceAccountKeyError) {
            key = try ServiceAccountKey(json: contents)
        } catch {
            throw CommandFailure(
                "\(name) holds no service account's key: \(TextStyle.safe(error.explanation))",
                help: error.advice
            )
        }
        clock = pipeline.surroundings.clock
    }

    /// A token from the emulator's own endpoint, wherever the key says that tokens are given: no
    /// emulator's environment reaches Google.
    func bearer(
        from url: String,
        over transport: CurlTransport
    ) async throws(CommandFailure) -> String {
        do throws(TokenError) {
            return try await token(from: url, over: transport)
        } catch {
            throw CommandFailure(
                "\(url) gives no access token: \(TextStyle.safe(error.explanation))",
                help: error.advice
            )
        }
    }

    func renewed(
        from url: String,
        over transport: CurlTransport
    ) async throws(BearerError) -> String {
        do throws(TokenError) {
            return try await token(from: url, over: transport)
        } catch {
            throw BearerError(reason: "\(url) gives no other access token: \(error.explanation)")
        }
    }

    private func token(
        from url: String,
        over transport: CurlTransport
    ) async throws(TokenError) -> String {
        let now = Date(timeIntervalSince1970: TimeInterval(clock.now().secondsSince1970))
        let exchange = TokenExchange(key: key, transport: transport, url: url + "/token")
        return try await exchange.token(for: [.messaging], at: now).bearer
    }
}
