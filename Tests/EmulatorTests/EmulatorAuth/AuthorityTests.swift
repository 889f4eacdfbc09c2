import EmulatorServer
import JSON
import Testing

/// Tests of accounts and tokens that need no signatures; end-to-end tests with external libraries
/// cover the rest.
struct AuthorityTests {
    private func token(_ emulator: TestEmulator) throws -> String {
        try emulator.client.send(
            "GET /computeMetadata/v1/instance/service-accounts/default/token HTTP/1.1\r\n"
                + "Host: localhost\r\nMetadata-Flavor: Google\r\n\r\n"
        )
        return try #require(try emulator.client.receive().json?["access_token"]?.stringValue)
    }

    private func status(_ emulator: TestEmulator, bearer: String) throws -> Int {
        try emulator.request(
            "POST",
            "/v1/projects/tidewatch/messages:send",
            #"{"message":{"token":"pixel","data":{"a":"1"}}}"#,
            authorization: "Bearer " + bearer
        ).status
    }

    @Test func `a secret that is sent to a wrong path is not recorded`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            let secrets = [
                #"{"private_key":"SECRET"}"#, #"{"clientSecret":"SECRET"}"#,
                "grant_type=x&assertion=SECRET", "refresh_token=SECRET",
            ]
            for path in ["/tokens", "/emulator/v1/auth/service-account", "/v1/tokens?a=SECRET"] {
                for body in secrets {
                    #expect(try emulator.post(path, body).status == 404)
                }
            }
            #expect(try emulator.request("PUT", "/token", secrets[2]).status == 405)
            #expect(try emulator.post("/token?assertion=SECRET", "").status == 400)
            #expect(try emulator.post("/iid/v1", "plain").status == 404)
            let log = try directory.logText()
            #expect(!log.contains("SECRET"))
            #expect(log.contains(#""body":"plain""#))
        }
    }

    @Test func `a token is valid until it expires, even after a restart`() async throws {
        let directory = try TemporaryDirectory()
        let first = try await TestEmulator(directory)
        let early = try token(first)
        #expect(try status(first, bearer: early) == 200)
        #expect(try first.request("DELETE", "/emulator/v1/auth/tokens").status == 200)
        #expect(try status(first, bearer: early) == 401)
        let late = try token(first)
        await first.server.stop()
        let second = try await TestEmulator(directory)
        #expect(try status(second, bearer: early) == 401)
        #expect(try status(second, bearer: late) == 200)
        #expect(try status(second, bearer: late + "x") == 200)
        await second.server.stop()
    }

    @Test func `the token lifetime is configurable and persistent`() async throws {
        let directory = try TemporaryDirectory()
        let first = try await TestEmulator(directory)
        let lives = ["0", "43201", "\"60\"", "null"].map { #"{"token_lifetime_seconds":\#($0)}"# }
        for body in lives + ["{}", "", #"{"token_lifetime_seconds":60,"x":1}"#] {
            #expect(try first.request("PATCH", "/emulator/v1/auth", body).status == 400)
        }
        for seconds in [43_200, 60] {
            let body = #"{"token_lifetime_seconds":\#(seconds)}"#
            #expect(try first.request("PATCH", "/emulator/v1/auth", body).status == 200)
        }
        await first.server.stop()
        let second = try await TestEmulator(directory)
        let overview = try second.request("GET", "/emulator/v1/auth").json
        #expect(overview?["token_lifetime_seconds"] == 60)
        #expect(overview?["require_tokens"] == false)
        await second.server.stop()
    }

    @Test func `accounts and tokens are listed in pages`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "/emulator/v1/auth/authorized-users"
            for number in 1...3 {
                let user =
                    #"{"client_id":"c\#(number)","client_secret":"s","refresh_token":"r"}"#
                #expect(try emulator.post(path, user).status == 200)
                _ = try token(emulator)
            }
            let page = try emulator.request("GET", path + "?after=1&limit=1").json
            let users = page?["authorized_users"]?.arrayValue
            #expect(users?.map { $0["client_id"] } == ["c2"])
            #expect(page?["last"] == 2)
            #expect(page?["total"] == 3)
            let tokens = try emulator.request("GET", "/emulator/v1/auth/tokens?limit=2").json
            #expect(tokens?["tokens"]?.arrayValue?.count == 2)
            #expect(tokens?["total"] == 3)
            #expect(try emulator.request("GET", path + "?limit=0").status == 400)
        }
    }

    @Test func `a generated key is returned once and its public half is stored`() async throws {
        try await TestEmulator.run { (emulator, directory) async throws in
            let path = "/emulator/v1/auth/service-accounts"
            let file = try emulator.post(path, #"{"client_email":"r@demo.example"}"#).json
            let pem = try #require(file?["private_key"]?.stringValue)
            let secret = try #require(pem.split(separator: "\n").dropFirst(3).first)
            #expect(file?["token_uri"] == "http://localhost/token")
            let list = try emulator.request("GET", path).json
            let account = list?["service_accounts"]?.arrayValue?.first
            #expect(account?["client_email"] == "r@demo.example")
            #expect(
                account?["keys"]?.arrayValue?.first?["private_key_id"] == file?["private_key_id"]
            )
            #expect(!(try directory.logText()).contains(secret))
            #expect(try emulator.post(path, #"{"client_email":"r"}"#).status == 400)
        }
    }
}
