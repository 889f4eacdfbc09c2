import FCMClient
import FoundationEssentials
import GoogleAuth
import HTTPTransport
import JSON
import Synchronization
import Testing

/// Tests the requests of each kind of credential, in order.
struct CredentialExchangeTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let own =
        #"{"access_token":"own","expires_in":3599,"token_type":"Bearer"}"#

    private func token(
        _ file: JSONObject,
        _ transport: any Transport,
        retries: TokenRetries = TokenRetries(pauses: [])
    ) async throws -> Result<AccessToken, TokenError> {
        let credential = try Credential(json: JSONValue.object(file).compactBytes)
        let exchange = TokenExchange(credential, over: transport, retries: retries) { Self.now }
        do throws(TokenError) {
            return .success(try await exchange.token(for: [.messaging]))
        } catch {
            return .failure(error)
        }
    }

    private func text(_ request: HTTPRequest) -> String {
        String(decoding: request.body, as: UTF8.self)
    }

    @Test func `a person's refresh token requests no scope`() async throws {
        let transport = SteppedTransport([.init(status: 200, Self.own)])
        #expect(try await token(CredentialFiles.user, transport).get().bearer == "own")
        let request = try #require(transport.seen.first)
        #expect(request.url == "https://oauth2.googleapis.com/token")
        #expect(
            text(request) == "grant_type=refresh_token&client_id=cli.apps.example"
                + "&client_secret=s-secret&refresh_token=r%2Fsecret%2B1"
        )
    }

    @Test
    func `exchanges a build's identity for a token, and that for an account token`() async throws {
        let transport = SteppedTransport([
            .init(status: 200, #"{"count":1,"value":"ey.identity.x"}"#),
            .init(status: 200, Self.own),
            .init(
                status: 200,
                #"{"accessToken":"robots","expireTime":"2027-01-15T08:30:00Z"}"#
            ),
        ])
        let robots = try await token(CredentialFiles.build, transport).get()
        #expect(robots.bearer == "robots")
        // 1800000000 is 2027-01-15T08:00:00Z.
        #expect(robots.life == .seconds(1_800))
        let seen = transport.seen
        try #require(seen.count == 3)
        #expect(seen[0].method == .get)
        #expect(seen[0].url == "https://forge.example/token?a=b&audience=c")
        #expect(seen[0].headers == [HTTPHeader(name: "Authorization", value: "Bearer job-secret")])
        #expect(seen[1].url == "https://sts.googleapis.com/v1/token")
        #expect(!seen[1].headers.map(\.name).contains("Authorization"))
        #expect(
            text(seen[1])
                == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"
                + "&audience=%2F%2Fiam.googleapis.com%2Fprojects%2F1%2Flocations%2Fglobal"
                + "%2FworkloadIdentityPools%2Fp%2Fproviders%2Fforge"
                + "&scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform"
                + "&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
                + "&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Ajwt"
                + "&subject_token=ey.identity.x"
        )
        #expect(seen[2].url == CredentialFiles.generateURL)
        #expect(seen[2].headers.first == HTTPHeader(name: "Authorization", value: "Bearer own"))
        #expect(
            JSONValue(parsing: seen[2].body) == [
                "scope": ["https://www.googleapis.com/auth/firebase.messaging"],
                "lifetime": "3600s",
            ]
        )
    }

    @Test func `an identity without an account requests messaging itself`() async throws {
        var file = CredentialFiles.build
        file["service_account_impersonation_url"] = nil
        let transport = SteppedTransport([
            .init(status: 200, #"{"value":"ey"}"#), .init(status: 200, Self.own),
        ])
        #expect(try await token(file, transport).get().bearer == "own")
        #expect(transport.seen.count == 2)
        #expect(text(transport.seen[1]).contains("auth%2Ffirebase.messaging&"))
    }

    @Test func `requests an impersonated account's token with the source's token`() async throws {
        let transport = SteppedTransport([
            .init(status: 200, Self.own),
            .init(status: 200, #"{"accessToken":"it","expireTime":"2027-01-15T09:00:00.5Z"}"#),
        ])
        #expect(try await token(CredentialFiles.impersonated, transport).get().bearer == "it")
        let body = JSONValue(parsing: transport.seen[1].body)
        #expect(
            body?["delegates"]
                == ["projects/-/serviceAccounts/middle@demo.iam.gserviceaccount.com"]
        )
    }

    @Test(arguments: [
        (0, #"{"value":7}"#, 200, "the source of the identity has no value"),
        (0, #"{"value":""}"#, 200, "the source of the identity contains no token"),
        (0, "denied", 403, "the identity provider answered 403 without a token"),
        (
            1, #"{"error":"invalid_target","error_description":"No pool."}"#, 400,
            "the Security Token Service refuses: invalid_target: No pool."
        ),
        (
            2, #"{"error":{"code":403,"message":"Denied.","status":"PERMISSION_DENIED"}}"#, 403,
            "IAM refuses: PERMISSION_DENIED: Denied."
        ),
        (2, #"{"accessToken":"x"}"#, 200, "IAM answered 200 without a token"),
    ])
    func `names the server that refuses`(
        step: Int,
        body: String,
        status: Int,
        explanation: String
    ) async throws {
        let good: [HTTPAnswer] = [
            .init(status: 200, #"{"value":"ey"}"#), .init(status: 200, Self.own),
        ]
        let transport = SteppedTransport(good.prefix(step) + [.init(status: status, body)])
        let result = try await token(CredentialFiles.build, transport)
        guard case .failure(let error) = result else {
            Issue.record("it returned a token")
            return
        }
        #expect(error.explanation == explanation)
        #expect(!error.advice.isEmpty)
        #expect(transport.seen.count == step + 1)
    }

    @Test(arguments: [408, 429, 500, 503, 504])
    func `requests a token three times after transient failures`(_ status: Int) async throws {
        let waits = Mutex<[Duration]>([])
        let retries = TokenRetries(pauses: [.seconds(1), .seconds(2)]) { pause in
            waits.withLock { $0.append(pause) }
        }
        let failing = SteppedTransport(Array(repeating: .init(status: status, ""), count: 4))
        let refused = try await token(CredentialFiles.user, failing, retries: retries)
        #expect(refused == .failure(TokenError(step: .refresh, cause: .unexpected(status: status))))
        #expect(failing.seen.count == 3)
        #expect(waits.withLock(\.self) == [.seconds(1), .seconds(2)])
        let passing = SteppedTransport([
            .init(status: 400, #"{"error":"temporarily_unavailable"}"#),
            .init(status: 200, Self.own),
        ])
        #expect(
            try await token(CredentialFiles.user, passing, retries: retries).get().bearer == "own"
        )
        let wrong = SteppedTransport([.init(status: 400, #"{"error":"invalid_grant"}"#)])
        _ = try await token(CredentialFiles.user, wrong, retries: retries)
        #expect(wrong.seen.count == 1)
    }
}

// MARK: - Google machines

struct MetadataServerTests {
    private let server = MetadataServer(variables: ["GCE_METADATA_HOST": "127.0.0.1:1"])

    private func answer(_ body: String, isOfMachine: Bool = true) -> HTTPAnswer {
        let flavor = HTTPHeader(name: "Metadata-Flavor", value: isOfMachine ? "Google" : "Other")
        return HTTPAnswer(status: 200, headers: [flavor], body: Array(body.utf8))
    }

    @Test(arguments: [true, false])
    func `accepts a server that names itself a metadata server`(_ isOfMachine: Bool) async throws {
        let body = #"{"access_token":"m","expires_in":100,"token_type":"Bearer"}"#
        let transport = SteppedTransport(
            ["", "demo", body].map { answer($0, isOfMachine: isOfMachine) }
        )
        #expect(await server.isThere(over: transport) == isOfMachine)
        #expect(await server.projectID(over: transport) == (isOfMachine ? "demo" : nil))
        let exchange = TokenExchange(.machine(server), over: transport) { .now }
        let token = try? await exchange.token(for: [.messaging])
        #expect(token?.bearer == (isOfMachine ? "m" : nil))
        let base = "http://127.0.0.1:1/computeMetadata/v1/"
        #expect(
            transport.seen.map(\.url) == [
                "http://127.0.0.1:1/", base + "project/project-id",
                base + "instance/service-accounts/default/token?scopes="
                    + "https%3A%2F%2Fwww.googleapis.com%2Fauth%2Ffirebase.messaging",
            ]
        )
        for request in transport.seen {
            #expect(request.headers == [HTTPHeader(name: "Metadata-Flavor", value: "Google")])
        }
    }

    @Test func `repeats the detection as often as the variables specify`() async {
        let silence = TransportError(fate: .notSent, reason: .timedOut, detail: "")
        let silent = CannedTransport(.failure(silence))
        let variables = [
            "GCE_METADATA_IP": "127.0.0.2:7", "GCE_METADATA_TIMEOUT": "0.5",
            "GCE_METADATA_DETECT_RETRIES": "2", "GCE_METADATA_HOST": "127.0.0.1:1",
        ]
        #expect(await !MetadataServer(variables: variables).isThere(over: silent))
        #expect(silent.seen.map(\.url) == Array(repeating: "http://127.0.0.2:7/", count: 2))
        #expect(silent.seen.map(\.timeLimit) == Array(repeating: .milliseconds(500), count: 2))
        let closed = TransportError(fate: .notSent, reason: .refusedConnection, detail: "")
        let nobody = CannedTransport(.failure(closed))
        #expect(await !server.isThere(over: nobody))
        #expect(nobody.seen.count == 1)
    }
}

/// Returns its answers in sequence.
final class SteppedTransport: Transport {
    private let answers: [HTTPAnswer]
    private let requests = Mutex<[HTTPRequest]>([])

    init(_ answers: some Sequence<HTTPAnswer>) {
        self.answers = Array(answers)
    }

    var seen: [HTTPRequest] { requests.withLock { $0 } }

    func prepare(_ url: String) async throws(TransportError) {}

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        let number = requests.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        guard number < answers.count else {
            throw TransportError(fate: .notSent, reason: .other, detail: "asked too often")
        }
        return answers[number]
    }
}

extension HTTPAnswer {
    init(status: Int, _ body: String) {
        self.init(status: status, body: Array(body.utf8))
    }
}
