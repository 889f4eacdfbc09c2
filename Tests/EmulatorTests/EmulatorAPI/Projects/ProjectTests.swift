import DeliveryModel
import EmulatorServer
import JSON
import Testing

/// Projects do not see each other's devices, messages, faults, quota and clock.
struct ProjectTests {
    private static let phone = #"[{"name":"phone","platform":"android","registration":"r:1"}]"#

    private func add(to project: String, _ emulator: TestEmulator) throws {
        let answer = try emulator.post("/emulator/v1/devices?project=\(project)", Self.phone)
        try #require(answer.json == ["added": 1])
    }

    private func messages(in project: String, _ emulator: TestEmulator) throws -> [JSONValue] {
        let path = "/emulator/v1/search/messages?project=\(project)"
        return try emulator.request("GET", path).json?["messages"]?.arrayValue ?? []
    }

    private func send(from project: String, _ body: String, _ emulator: TestEmulator) throws -> Int
    {
        try emulator.post("/v1/projects/\(project)/messages:send", body).status
    }

    @Test func `the same registration exists in each project`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try add(to: "a", emulator)
            try add(to: "b", emulator)
            let body = #"{"message":{"token":"r:1","notification":{"title":"for a"}}}"#
            #expect(try send(from: "a", body, emulator) == 200)
            #expect(try messages(in: "a", emulator).map { $0["title"] } == ["for a"])
            #expect(try messages(in: "b", emulator).isEmpty)
            #expect(try messages(in: "", emulator).isEmpty)
        }
    }

    @Test func `a project does not know the registrations of others`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try add(to: "a", emulator)
            let body = #"{"message":{"token":"pixel","data":{"k":"v"}}}"#
            #expect(try send(from: "a", body, emulator) != 200)
            #expect(try send(from: "without-state", body, emulator) == 200)
        }
    }

    @Test func `requests without a path belong to the account of the token`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            for project in ["a", "b"] { try add(to: project, emulator) }
            let body = #"{"to":"/topics/tides","registration_tokens":["r:1"]}"#
            let answer = try emulator.request(
                "POST",
                "/iid/v1:batchAdd",
                body,
                authorization: "Bearer project:b"
            )
            #expect(answer.json == ["results": [[:]]])
            #expect(try memberships(of: "b", emulator) == 1)
            #expect(try memberships(of: "a", emulator) == 0)
        }
    }

    @Test func `an issued token belongs to the project of its account`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            for project in ["a", "b"] { try add(to: project, emulator) }
            let user = """
                {"client_id":"tester","client_secret":"s","refresh_token":"t","project_id":"a",\
                "scopes":["https://www.googleapis.com/auth/firebase.messaging"]}
                """
            let path = "/emulator/v1/auth/authorized-users"
            try #require(try emulator.post(path, user).status == 200)
            let grant = try emulator.post(
                "/token",
                "grant_type=refresh_token&client_id=tester&client_secret=s&refresh_token=t"
            )
            let token = try #require(grant.json?["access_token"]?.stringValue)
            let answer = try emulator.request(
                "POST",
                "/iid/v1/r:1/rel/topics/tides",
                authorization: "Bearer \(token)"
            )
            #expect(answer.status == 200)
            #expect(try memberships(of: "a", emulator) == 1)
            #expect(try memberships(of: "b", emulator) == 0)
        }
    }

    @Test func `device groups belong to the sender in the header`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            for project in ["a", "b"] { try add(to: project, emulator) }
            let path = "/emulator/v1/projects/b"
            let setting = try emulator.request("PUT", path, #"{"sender_id":"4711"}"#)
            #expect(setting.json == ["id": "b", "sender_id": "4711"])
            let group = try emulator.request(
                "POST",
                "/fcm/notification",
                #"{"operation":"create","notification_key_name":"n","registration_ids":["r:1"]}"#,
                projectID: "4711"
            )
            let key = try #require(group.json?["notification_key"]?.stringValue)
            let body = #"{"message":{"token":"\#(key)","data":{"k":"v"}}}"#
            #expect(try send(from: "a", body, emulator) != 200)
            #expect(try send(from: "b", body, emulator) == 200)
            #expect(try messages(in: "b", emulator).count == 1)
        }
    }

    private func memberships(of project: String, _ emulator: TestEmulator) throws -> Int64 {
        let path = "/emulator/v1/memberships?project=\(project)"
        return try emulator.request("GET", path).json?["total"]?.integerValue ?? -1
    }

    @Test func `faults and the clock apply to one project`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            for project in ["a", "b"] { try add(to: project, emulator) }
            let script = #"{"rules":[{"id":"busy","answer":{"error":"UNAVAILABLE"}}]}"#
            let faults = try emulator.request("PUT", "/emulator/v1/faults?project=a", script)
            try #require(faults.status == 200)
            let time = #"{"mode":"frozen","at":"2040-01-01T00:00:00Z"}"#
            let clock = try emulator.request("PUT", "/emulator/v1/clock?project=b", time)
            try #require(clock.status == 200)
            let body = #"{"message":{"token":"r:1","data":{"k":"v"}}}"#
            #expect(try send(from: "a", body, emulator) == 503)
            #expect(try send(from: "b", body, emulator) == 200)
            let received = try messages(in: "b", emulator).first?["received_at"]?.stringValue
            #expect(received == "2040-01-01T00:00:00.000Z")
            let other = try emulator.request("GET", "/emulator/v1/clock?project=a").json
            #expect(other?["mode"] == "real")
        }
    }

    @Test func `the quota counts each project`() async throws {
        let limits = DeliveryLimits(sendsPerMinute: 1)
        try await TestEmulator.run(limits: limits) { (emulator, _) async throws in
            for project in ["a", "b"] { try add(to: project, emulator) }
            let body = #"{"message":{"token":"r:1","data":{"k":"v"}}}"#
            #expect(try send(from: "a", body, emulator) == 200)
            #expect(try send(from: "a", body, emulator) == 429)
            #expect(try send(from: "b", body, emulator) == 200)
        }
    }

    @Test func `one call drops a project`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try add(to: "a", emulator)
            let path = "/emulator/v1/projects/a"
            #expect(try emulator.request("DELETE", path).status == 200)
            #expect(try emulator.request("DELETE", path).status == 404)
            let projects = try emulator.request("GET", "/emulator/v1/projects").json
            #expect(projects?["projects"]?.arrayValue?.map { $0["id"] } == [""])
            let devices = try emulator.request("GET", "/emulator/v1/devices?project=a").json
            #expect(devices?["total"] == 0)
        }
    }

    @Test func `a restart restores each project`() async throws {
        let directory = try TemporaryDirectory()
        let first = try await TestEmulator(directory)
        try add(to: "a", first)
        try add(to: "gone", first)
        _ = try first.request("DELETE", "/emulator/v1/projects/gone")
        let body = #"{"message":{"token":"r:1","notification":{"title":"kept"}}}"#
        #expect(try send(from: "a", body, first) == 200)
        await first.server.stop()
        let second = try await TestEmulator(directory)
        #expect(try messages(in: "a", second).map { $0["title"] } == ["kept"])
        let projects = try second.request("GET", "/emulator/v1/projects").json
        #expect(projects?["projects"]?.arrayValue?.map { $0["id"] } == ["", "a"])
        #expect(try messages(in: "", second).isEmpty)
        await second.server.stop()
    }

    @Test func `the request log shows the requests of one project`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            try add(to: "a", emulator)
            _ = try emulator.send(#"{"message":{"token":"pixel","data":{"k":"v"}}}"#)
            func paths(_ query: String) throws -> [JSONValue?] {
                try emulator.request("GET", "/emulator/v1/requests?\(query)").json?["requests"]?
                    .arrayValue?.map { $0["path"] } ?? []
            }
            #expect(try paths("project=a") == ["/emulator/v1/devices?project=a"])
            #expect(
                try paths("project=") == [
                    "/emulator/v1/devices", "/v1/projects/tidewatch/messages:send",
                ]
            )
            #expect(try paths("project=*").count == 3)
        }
    }

    @Test(arguments: ["a%20b", "a/b", String(repeating: "a", count: 101)])
    func `refuses invalid project IDs`(id: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let path = "/emulator/v1/devices?project=\(id)"
            #expect(try emulator.request("GET", path).status == 400)
        }
    }

    @Test(arguments: ["devices?limt=1", "inboxes?device=x", "reset?all=1", "wait?titel=x"])
    func `refuses unknown query parameters`(path: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let method = path.hasPrefix("reset") ? "POST" : "GET"
            let answer = try emulator.request(method, "/emulator/v1/\(path)")
            #expect(answer.status == 400)
            let text = answer.json?["error"]?["message"]?.stringValue ?? ""
            #expect(text.contains("Unknown query parameter"))
        }
    }
}
