import FCMClient
import FoundationEssentials
import GoogleAuth
import HTTPTransport
import Presentation
import Time

/// Provides access tokens while a command sends.
///
/// Renews each before it expires.
struct TokenSupply {
    let bearer: Bearer
    /// The lifetime of the first token.
    let life: Duration
    private let renewal: Task<Void, Never>

    /// Requests the first token.
    ///
    /// `clock`: the clock for the dates of assertions. `server`: the token server's name for error
    /// messages.
    init(
        _ credential: Credential,
        over transport: any Transport,
        clock: WallClock,
        from server: String
    ) async throws(CommandFailure) {
        let exchange = TokenExchange(credential, over: transport) {
            Date(timeIntervalSince1970: TimeInterval(clock.now().secondsSince1970))
        }
        let cache = AccessTokenCache { () async throws(TokenError) in
            try await exchange.token(for: [.messaging])
        }
        let first: AccessToken
        do throws(TokenError) {
            first = try await cache.token()
        } catch {
            throw CommandFailure(
                .noAccessToken(from: server, because: error.explanation, help: error.advice)
            )
        }
        let bearer = Bearer(first.bearer) { () async throws(BearerError) in
            do throws(TokenError) {
                return try await cache.renewed().bearer
            } catch {
                throw BearerError(
                    reason: CredentialWording.notRenewed(by: server, because: error.explanation)
                )
            }
        }
        self.bearer = bearer
        life = first.life
        renewal = Task { await cache.keepFresh { bearer.use($0.bearer) } }
    }

    func stop() { renewal.cancel() }
}
