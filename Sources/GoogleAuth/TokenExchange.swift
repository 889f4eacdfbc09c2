package import FoundationEssentials
package import HTTPTransport

/// Gets access tokens for a service account.
package struct TokenExchange<Carrier: Transport>: Sendable {
    private let key: ServiceAccountKey
    private let transport: Carrier
    private let url: String

    /// Asks at `url` in place of where the key says that tokens are given.
    package init(key: ServiceAccountKey, transport: Carrier, url: String? = nil) {
        self.key = key
        self.transport = transport
        self.url = url ?? key.tokenURL
    }

    /// Asks once: whether to ask again is for the caller to say.
    package func token(
        for scopes: [AccessScope],
        at now: Date
    ) async throws(TokenError) -> AccessToken {
        let assertion: SignedAssertion
        do {
            assertion = try await SignedAssertion(by: key, for: scopes, audience: url, at: now)
        } catch {
            throw .unsigned
        }
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await transport.send(request(assertion))
        } catch {
            throw .unreachable(error)
        }
        return try read(answer, at: now)
    }

    private func request(_ assertion: SignedAssertion) -> HTTPRequest {
        // A JWT has no character that a form would have to escape; of the type only the colons.
        let type = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        return HTTPRequest(
            method: .post,
            url: url,
            headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
            body: Array("grant_type=\(type)&assertion=\(assertion.text)".utf8)
        )
    }

    private func read(_ answer: HTTPAnswer, at now: Date) throws(TokenError) -> AccessToken {
        let body = try? JSONDecoder().decode(Answer.self, from: Data(answer.body))
        guard answer.status == 200 else {
            guard let code = body?.error else { throw .unexpected(status: answer.status) }
            throw .refused(code: code, description: body?.errorDescription)
        }
        guard let body, let text = body.accessToken, !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            body.tokenType?.lowercased() == "bearer", let life = body.expiresIn, life > 0
        else { throw .unexpected(status: answer.status) }
        return AccessToken(bearer: text, expiry: now.addingTimeInterval(life))
    }
}

private struct Answer: Decodable {
    var accessToken: String?
    var tokenType: String?
    /// Seconds.
    var expiresIn: Double?
    var error: String?
    var errorDescription: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case error
        case errorDescription = "error_description"
    }
}
