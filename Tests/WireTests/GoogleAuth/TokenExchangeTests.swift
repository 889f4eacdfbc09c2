import Crypto
import CryptoExtras
import FCMClient
import FoundationEssentials
import GoogleAuth
import HTTPTransport
import JSON
import Testing

struct TokenExchangeTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000.75)
    private static let good =
        #"{"access_token":"ya29.abc","expires_in":3599,"token_type":"Bearer"}"#

    private func exchange(
        _ transport: CannedTransport,
        url: String? = nil
    ) async throws -> Result<AccessToken, TokenError> {
        var key = try ServiceAccountKey(json: RobotFile.bytes())
        if let url { key = key.asking(at: url) }
        let exchange = TokenExchange(
            .serviceAccount(key),
            over: transport,
            retries: TokenRetries(pauses: [])
        ) { Self.now }
        do throws(TokenError) {
            return .success(try await exchange.token(for: [.messaging]))
        } catch {
            return .failure(error)
        }
    }

    private func decoded(_ part: Substring) -> [UInt8] {
        let text = part.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - part.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map(Array.init) ?? []
    }

    @Test(arguments: [nil, "http://127.0.0.1:9099/token"])
    func `sends one request, with an assertion for that address`(_ url: String?) async throws {
        let transport = CannedTransport(status: 200, Self.good)
        _ = try await exchange(transport, url: url).get()
        let request = try #require(transport.seen.first)
        let expectedURL = url ?? "https://oauth2.googleapis.com/token"
        #expect(transport.seen.count == 1)
        #expect(request.method == .post)
        #expect(request.url == expectedURL)
        #expect(
            request.headers == [
                HTTPHeader(name: "Content-Type", value: "application/x-www-form-urlencoded")
            ]
        )
        let start =
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        let body = String(decoding: request.body, as: UTF8.self)
        try #require(body.hasPrefix(start))
        let parts = body.dropFirst(start.count).split(separator: ".")
        try #require(parts.count == 3)
        #expect(
            JSONValue(parsing: decoded(parts[0]))
                == ["alg": "RS256", "typ": "JWT", "kid": "key-1"]
        )
        #expect(
            JSONValue(parsing: decoded(parts[1])) == [
                "iss": "robot@demo.iam.gserviceaccount.com",
                "scope": "https://www.googleapis.com/auth/firebase.messaging",
                "aud": .string(expectedURL), "iat": 1_800_000_000, "exp": 1_800_003_600,
            ]
        )
        let key = try #require(RobotFile.key).publicKey
        let signature = _RSA.Signing.RSASignature(rawRepresentation: decoded(parts[2]))
        let input = SHA256.hash(data: Array("\(parts[0]).\(parts[1])".utf8))
        #expect(key.isValidSignature(signature, for: input, padding: .insecurePKCS1v1_5))
    }

    @Test func `returns the token and its lifetime, without printing it`() async throws {
        let token = try await exchange(CannedTransport(status: 200, Self.good)).get()
        #expect(token.bearer == "ya29.abc")
        #expect(token.life == .seconds(3_599))
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] {
            #expect(!text.contains("ya29"))
        }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"access_token":"","expires_in":1,"token_type":"Bearer"}"#,
        #"{"access_token":"a b","expires_in":1,"token_type":"Bearer"}"#,
        #"{"access_token":"a\r\nX: y","expires_in":1,"token_type":"Bearer"}"#,
        #"{"access_token":"a","expires_in":0,"token_type":"Bearer"}"#,
        #"{"access_token":"a","expires_in":1,"token_type":"MAC"}"#,
        #"{"access_token":"a","token_type":"Bearer"}"#, #"{"id_token":"a"}"#,
    ])
    func `rejects an answer without a usable token`(_ body: String) async throws {
        let result = try await exchange(CannedTransport(status: 200, body))
        #expect(result == .failure(TokenError(step: .assertion, cause: .unexpected(status: 200))))
    }

    @Test func `a refusal keeps the server's message`() async throws {
        let body = #"{"error":"invalid_grant","error_description":"Invalid JWT Signature."}"#
        let refused = TokenError(
            step: .assertion,
            cause: .refused(code: "invalid_grant", description: "Invalid JWT Signature.")
        )
        #expect(try await exchange(CannedTransport(status: 400, body)) == .failure(refused))
        let short = CannedTransport(status: 401, #"{"error":"invalid_client"}"#)
        #expect(
            try await exchange(short)
                == .failure(
                    TokenError(
                        step: .assertion,
                        cause: .refused(code: "invalid_client", description: nil)
                    )
                )
        )
        let html = CannedTransport(status: 503, "<html>")
        #expect(
            try await exchange(html)
                == .failure(TokenError(step: .assertion, cause: .unexpected(status: 503)))
        )
        let lost = TransportError(fate: .perhapsSent, reason: .timedOut, detail: "too slow")
        let unreachable = CannedTransport(.failure(lost))
        #expect(
            try await exchange(unreachable)
                == .failure(TokenError(step: .assertion, cause: .unreachable(lost)))
        )
    }

    @Test(arguments: [
        (
            "invalid_grant", "Invalid JWT: … Check your iat and exp values in the JWT claim.",
            "correct this computer's clock"
        ),
        (
            "invalid_grant", "Invalid JWT Signature.",
            "the key was deleted or replaced: create a new one for the account"
        ),
        (
            "invalid_grant", "Invalid grant: account not found",
            "the account was deleted: use the key of an existing account"
        ),
        ("invalid_client", "", "make sure that the account and its key are enabled"),
        ("internal_failure", "", "try again later"),
    ])
    func `describes the fix`(_ code: String, _ description: String, _ advice: String) {
        let error = TokenError(
            step: .assertion,
            cause: .refused(code: code, description: description)
        )
        #expect(error.advice == advice)
    }
}
