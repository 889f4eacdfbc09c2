import GoogleAuth
import JSON
import Testing

struct ServiceAccountKeyTests {
    private func problem(_ bytes: [UInt8]) -> CredentialError? {
        do throws(CredentialError) {
            _ = try ServiceAccountKey(json: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `reads the file from the Google Cloud console`() throws {
        let more: [String: JSONValue?] = ["client_id": "1", "universe_domain": "googleapis.com"]
        let key = try ServiceAccountKey(json: RobotFile.bytes(more))
        #expect(key.email == "robot@demo.iam.gserviceaccount.com")
        #expect(key.projectID == "demo")
        #expect(key.tokenURL == "https://oauth2.googleapis.com/token")
        #expect(try ServiceAccountKey(json: RobotFile.bytes(["project_id": nil])).projectID == nil)
    }

    @Test func `does not print itself`() throws {
        let key = try ServiceAccountKey(json: RobotFile.bytes())
        var dumped = ""
        dump(["key": key], to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\([key])", "\(Optional(key) as Any)"] {
            #expect(text.contains("<redacted>"))
            #expect(!text.contains("robot") && !text.contains("key-1"))
        }
        #expect(!dumped.contains("robot") && !dumped.contains("key-1"))
    }

    @Test(arguments: ["client_email", "private_key_id", "private_key", "token_uri"])
    func `names a missing field`(_ field: String) {
        for value in [JSONValue?.none, .some(.null), .some(""), .some(7), .some(["x"])] {
            #expect(problem(RobotFile.bytes([field: value])) == .missing(field: field))
        }
    }

    @Test(arguments: [
        ("client_email", "robot"), ("private_key", "PRIVATE"),
        ("private_key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        ("token_uri", "http://tokens.example/token"), ("token_uri", "https://"),
        ("token_uri", "file:///etc/passwd"),
    ])
    func `names an invalid field`(_ field: String, _ value: String) {
        #expect(problem(RobotFile.bytes([field: .string(value)])) == .malformed(field: field))
    }

    @Test func `names another kind of credential`() {
        #expect(problem(RobotFile.bytes(["type": nil])) == .unknownType(nil))
        let other = RobotFile.bytes(["type": "authorized_user"])
        #expect(problem(other) == .missing(field: "client_id"))
        #expect(problem(Array("[]".utf8)) == .notJSON)
        #expect(problem(Array("{".utf8)) == .notJSON)
        #expect(problem([]) == .notJSON)
    }

    @Test(arguments: [
        ("https://oauth2.googleapis.com/token", true), ("http://127.0.0.1:9099/token", true),
        ("http://localhost/token", true), ("http://[::1]:1/token", true),
        ("http://127.0.0.1", true), ("http://127.0.0.1.example/token", false),
        ("http://localhost@evil.example/token", false),
        ("http://localhost:80@evil.example/token", false), ("http://evil.example/token", false),
        ("ftp://127.0.0.1/token", false), ("", false), ("https://", false),
    ])
    func `sends secrets only over TLS or to this machine`(_ url: String, _ isSafe: Bool) {
        #expect(TokenURL.isSafe(url) == isSafe)
    }
}
