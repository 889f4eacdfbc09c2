import EmulatorAPI
import EmulatorServer
import JSON
import Testing

/// Tests that misplaced secrets are not recorded.
struct RecordedSecretTests {
    private static let send = "/v1/projects/tidewatch/messages:send"
    private static let registrations = "/v1/projects/tidewatch/registrations"
    private static let message = #"{"message":{"token":"pixel","data":{"a":"1"}}}"#
    private static let keyFile =
        #"{"type":"service_account","client_email":"r@demo.example","private_key_id":"1","#
        + #""private_key":"-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----\n"}"#

    @Test(arguments: [
        "access_token=SECRET", "oauth_token=SECRET", "key=SECRET", "ACCESS_TOKEN=SECRET",
        "%61ccess%5Ftoken=SECRET", "access_token%3DSECRET", "a=1&key=SEC=RET&prettyPrint=true",
        "x;access_token=SECRET", "refreshToken=%53ECRET&assertion=SECRET", "client_secret=SECRET",
    ])
    func `masks secrets in query parameters`(query: String) async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            _ = try emulator.post("\(Self.send)?\(query)", Self.message)
            _ = try emulator.post("\(Self.send)?\(query)", "{")
            _ = try emulator.request("GET", "/token?\(query)")
            _ = try emulator.request("GET", "/nowhere?\(query)")
            _ = try emulator.request("GET", "/no%3F\(query)")
            _ = try emulator.request("DELETE", "/emulator/v1/devices/nobody?\(query)")
            let log = try directory.logText()
            for secret in ["SECRET", "%53ECRET", "RET&"] { #expect(!log.contains(secret)) }
            #expect(log.contains("<redacted>"))
            let targets = log.split(separator: "\n").compactMap {
                JSONValue(parsing: String($0))?["path"]?.stringValue
            }
            #expect(targets.count == 7)
            #expect(targets[1].hasPrefix("\(Self.send)?"))
        }
    }

    @Test func `keeps other parameters and replays successful requests`() async throws {
        let directory = try TemporaryDirectory()
        var emulator = try await TestEmulator(directory)
        let path = "\(Self.registrations)/pixel/topicSubscriptions?topicName=tides"
        let answer = try emulator.post("\(path)&access_token=SECRET&alt=json", "")
        #expect(answer.status == 200)
        await emulator.server.stop()
        emulator = try await TestEmulator(directory)
        #expect(try emulator.inboxes().first?["topics"] == ["tides"])
        await emulator.server.stop()
        let log = try directory.logText()
        #expect(log.contains("\(path)&access_token=<redacted>&alt=json\""))
        #expect(!log.contains("SECRET"))
    }

    @Test(arguments: [
        ("POST", send), ("POST", "/iid/v1:batchAdd"), ("POST", "/iid/v1:batchImport"),
        ("POST", "/fcm/notification"), ("POST", "/emulator/v1/devices"),
        ("PATCH", "/emulator/v1/devices/pixel"), ("PUT", "/emulator/v1/clock"),
        ("PUT", "/emulator/v1/snapshot"), ("PUT", "/emulator/v1/faults"), ("POST", "/token"),
        ("POST", "/emulator/v1/auth/identity-providers"), ("PATCH", "/emulator/v1/auth"),
        ("POST", "\(registrations)/pixel/topicSubscriptions?topicName=tides"),
        ("GET", "/computeMetadata/v1/project/project-id"), ("PUT", "/nowhere"),
    ])
    func `masks a key file that is sent to a wrong path`(
        method: String,
        path: String
    )
        async throws
    {
        let pem = "-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----\n"
        let quoted = JSONValue.string(pem).compactText
        try await TestEmulator.run { (emulator, directory) async throws in
            for body in [
                Self.keyFile, "[\(Self.keyFile)]", "{\"devices\":[\(Self.keyFile)]}",
                "{\"message\":\(quoted)}", "{\"message\":{\"token\":\(quoted)}}", pem,
                String(Self.keyFile.dropLast(3)), "{\"a\":\(Self.keyFile),}",
                "file=" + pem.replacing("\n", with: "%0A").replacing(" ", with: "+"),
                #"{"clientSecret":"SECRET"}"#, #"{"x":{"refresh_token":"SECRET"}}"#,
                "grant_type=refresh_token&refresh_token=SECRET", #"{"refresh_token":SECRET}"#,
            ] {
                let answer = try emulator.request(method, path, body)
                #expect(answer.status >= 400, "\(body)")
            }
            let log = try directory.logText()
            #expect(!log.contains("SECRET"))
            #expect(log.split(separator: "\n").count == 14)
        }
    }

    @Test func `keeps a message's data and the text of a refusal without secrets`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            let body = #"{"message":{"token":"nobody:1","data":{"assertion":"true"}}}"#
            #expect(try emulator.send(body).status == 404)
            #expect(try emulator.send("{").status == 400)
            let log = try directory.logText()
            #expect(log.contains(body))
            #expect(log.contains("Requested entity was not found."))
            #expect(log.contains("Invalid JSON payload received."))
        }
    }
}
