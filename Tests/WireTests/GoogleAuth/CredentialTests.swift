import FCMClient
import GoogleAuth
import JSON
import Testing

struct CredentialTests {
    private func problem(_ json: JSONValue) -> CredentialError? {
        problem(json.compactBytes)
    }

    private func problem(_ bytes: [UInt8]) -> CredentialError? {
        do throws(CredentialError) {
            _ = try Credential(json: bytes)
            return nil
        } catch {
            return error
        }
    }

    private func file(_ base: JSONObject, _ changes: JSONObject) -> JSONValue {
        var members = base
        for member in changes.members {
            members[member.key] = member.value == .null ? nil : member.value
        }
        return .object(members)
    }

    @Test(arguments: [CredentialFiles.user, CredentialFiles.build, CredentialFiles.impersonated])
    func `reads files from gcloud and build services`(_ file: JSONObject) throws {
        let credential = try Credential(json: JSONValue.object(file).compactBytes)
        #expect(credential.projectID == nil)
        var dumped = ""
        dump(["it": credential], to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), dumped] {
            #expect(!text.contains("secret") && !text.contains("forge"))
        }
    }

    @Test func `a person's requests use the quota of the project that they name`() throws {
        let user = JSONValue.object(CredentialFiles.user)
        #expect(try Credential(json: user.compactBytes).isPersonal)
        #expect(try Credential(json: user.compactBytes).quotaProject == nil)
        let named = file(CredentialFiles.user, ["quota_project_id": "harbour-1"])
        #expect(try Credential(json: named.compactBytes).quotaProject == "harbour-1")
        #expect(try !Credential(json: RobotFile.bytes()).isPersonal)
        #expect(try Credential(json: RobotFile.bytes()).projectID == "demo")
    }

    private static let damages: [(JSONObject, JSONObject, CredentialError)] = [
        (
            CredentialFiles.user, ["client_id": .null],
            .missing(field: "client_id")
        ),
        (
            CredentialFiles.user, ["refresh_token": ""],
            .missing(field: "refresh_token")
        ),
        (
            CredentialFiles.user, ["token_uri": "http://tokens.example"],
            .malformed(field: "token_uri")
        ),
        (CredentialFiles.user, ["universe_domain": "other.example"], .unsupported(.universe)),
        (CredentialFiles.build, ["audience": .null], .missing(field: "audience")),
        (
            CredentialFiles.build, ["token_url": "http://sts.example/v1/token"],
            .malformed(field: "token_url")
        ),
        (
            CredentialFiles.build, ["service_account_impersonation_url": "ftp://x"],
            .malformed(field: "service_account_impersonation_url")
        ),
        (CredentialFiles.build, ["client_id": "x"], .unsupported(.clientSecret)),
        (
            CredentialFiles.build, ["workforce_pool_user_project": "1"],
            .unsupported(.workforce)
        ),
        (
            CredentialFiles.build, ["credential_source": .null],
            .missing(field: "credential_source")
        ),
        (
            CredentialFiles.build, ["credential_source": [:]],
            .missing(field: "credential_source.url")
        ),
        (
            CredentialFiles.build, ["credential_source": ["url": "http://forge.example"]],
            .malformed(field: "credential_source.url")
        ),
        (
            CredentialFiles.build,
            ["credential_source": ["url": "https://forge.example", "headers": ["a": "b\nc"]]],
            .malformed(field: "credential_source.headers")
        ),
        (
            CredentialFiles.build,
            ["credential_source": ["file": "x", "format": ["type": "json"]]],
            .missing(field: "credential_source.format.subject_token_field_name")
        ),
        (
            CredentialFiles.build,
            ["credential_source": ["file": "x", "format": ["type": "xml"]]],
            .malformed(field: "credential_source.format.type")
        ),
        (
            CredentialFiles.build,
            ["credential_source": ["executable": ["command": "/bin/id"]]],
            .unsupported(.executable)
        ),
        (
            CredentialFiles.build, ["credential_source": ["environment_id": "aws1"]],
            .unsupported(.amazon)
        ),
        (
            CredentialFiles.build, ["credential_source": ["certificate": [:]]],
            .unsupported(.certificate)
        ),
        (
            CredentialFiles.impersonated, ["source_credentials": .null],
            .missing(field: "source_credentials")
        ),
        (
            CredentialFiles.impersonated, ["source_credentials": ["type": "authorized_user"]],
            .missing(field: "source_credentials.client_id")
        ),
        (
            CredentialFiles.impersonated, ["delegates": [1]], .malformed(field: "delegates")
        ),
        (["type": "gdch_service_account"], [:], .unsupported(.distributedCloud)),
        (["type": "external_account_authorized_user"], [:], .unsupported(.workforce)),
        (["type": "api_key"], [:], .unknownType("api_key")),
    ]

    @Test(arguments: Self.damages)
    func `describes the error in a file`(
        _ base: JSONObject,
        _ changes: JSONObject,
        _ error: CredentialError
    ) {
        #expect(problem(file(base, changes)) == error)
        #expect(!error.explanation.isEmpty && !error.advice.isEmpty)
    }

    @Test(arguments: [
        ("AIzaSyD-0123456789abcdefghijklmnopqrstuv", CredentialError.apiKey),
        ("  AIzaSyD-0123456789abcdefghijklmnopqrstuv\n", .apiKey),
        ("key=AIzaSyD-0123456789abcdefghijklmnopqrstuv", .apiKey),
        ("AAAAabcdefg:APA91b" + String(repeating: "x", count: 134), .serverKey),
        ("key=AAAAabcdefg:APA91b" + String(repeating: "x", count: 134), .serverKey),
        ("ya29.abc", .accessToken), ("Bearer ya29.abc", .accessToken),
        ("AAAA", .serverKey), ("", .notJSON), ("[]", .notJSON), ("\"AIza\"", .notJSON),
    ])
    func `recognizes keys and prints none`(_ text: String, _ error: CredentialError) {
        #expect(problem(Array(text.utf8)) == error)
        #expect(!error.explanation.contains("AIza") && !error.explanation.contains("APA91b"))
    }
}

/// Credential files other than a service account's key.
enum CredentialFiles {
    static let user: JSONObject = [
        "type": "authorized_user", "client_id": "cli.apps.example", "client_secret": "s-secret",
        "refresh_token": "r/secret+1",
    ]

    /// A file from GitHub's auth action.
    static let build: JSONObject = [
        "type": "external_account",
        "audience": .string(audience),
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "token_url": "https://sts.googleapis.com/v1/token",
        "credential_source": [
            "url": "https://forge.example/token?a=b&audience=c",
            "headers": ["Authorization": "Bearer job-secret"],
            "format": ["type": "json", "subject_token_field_name": "value"],
        ],
        "service_account_impersonation_url": .string(generateURL),
    ]

    static let impersonated: JSONObject = [
        "type": "impersonated_service_account",
        "service_account_impersonation_url": .string(generateURL),
        "delegates": ["middle@demo.iam.gserviceaccount.com"],
        "source_credentials": .object(user),
    ]

    private static let audience =
        "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/forge"

    static let generateURL =
        "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/"
        + "robot@demo.iam.gserviceaccount.com:generateAccessToken"
}
