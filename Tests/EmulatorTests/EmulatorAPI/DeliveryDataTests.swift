import JSON
import TestSupport
import Testing

struct DeliveryDataTests {
    private static let path = "/v1beta1/projects/p/androidApps/example.tides/deliveryData"

    private func send(_ emulator: TestEmulator, _ token: String, _ label: String) throws -> String {
        let answer = try emulator.send(
            #"{"message":{"token":"\#(token)","notification":{"title":"a"},"#
                + #""fcm_options":{"analytics_label":"\#(label)"}}}"#
        )
        let name = try #require(answer.json?["name"]?.stringValue)
        return String(name.split(separator: "/").last ?? "")
    }

    /// Sends four messages with one label (one tapped, one shown, one waiting, one to Apple) and
    /// one message with another label.
    private func fill(_ emulator: TestEmulator) throws -> [String] {
        _ = try emulator.request("PUT", "/emulator/v1/clock", #"{"at":"2040-03-20T07:30:00Z"}"#)
        _ = try emulator.post(
            "/emulator/v1/devices",
            #"[{"name":"away","platform":"android","registration":"away","online":false,"package":"example.tides"}]"#
        )
        let ids = try ["pixel", "pixel", "away", "iphone"].map { try send(emulator, $0, "tide") }
        _ = try send(emulator, "pixel", "other")
        _ = try emulator.post("/emulator/v1/devices/pixel/taps", #"{"message_id":"\#(ids[0])"}"#)
        return ids
    }

    @Test func `has Google's format, by day and label`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try fill(emulator)
            let answer = try emulator.request("GET", Self.path)
            #expect(answer.status == 200)
            let rows = try #require(answer.json?["androidDeliveryData"]?.arrayValue)
            #expect(rows.map { $0["analyticsLabel"] } == ["other", "tide"])
            let row = try #require(rows.last)
            #expect(row["appId"] == "example.tides")
            #expect(row["date"] == ["year": 2040, "month": 3, "day": 20])
            let data = try #require(row["data"])
            #expect(data["countMessagesAccepted"] == "3")
            #expect(data["countNotificationsAccepted"] == "3")
            #expect(data["messageOutcomePercents"]?["delivered"] == .number(66.67))
            #expect(data["messageOutcomePercents"]?["pending"] == .number(33.33))
            #expect(data["deliveryPerformancePercents"]?["deliveredNoDelay"] == 100)
        }
    }

    @Test func `returns pages`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try fill(emulator)
            let first = try emulator.request("GET", Self.path + "?pageSize=1").json
            #expect(first?["androidDeliveryData"]?.arrayValue?.count == 1)
            let token = try #require(first?["nextPageToken"]?.stringValue)
            let rest = try emulator.request("GET", Self.path + "?pageToken=" + token).json
            #expect(rest?["androidDeliveryData"]?.arrayValue?.count == 1)
            #expect(rest?["nextPageToken"] == nil)
        }
    }

    @Test func `requires a bearer token and refuses invalid pages`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            #expect(try emulator.request("GET", Self.path, authorization: nil).status == 401)
            #expect(try emulator.request("GET", Self.path + "?pageToken=x").status == 400)
            #expect(try emulator.request("GET", Self.path + "?nonsense=1").status == 400)
            #expect(try emulator.request("GET", Self.path).json == [:])
        }
    }

    @Test(.covers("C61"))
    func `returns the outcomes of individual messages`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let ids = try fill(emulator)
            let list = ids.map { $0.replacing("%", with: "%25") }.joined(separator: ",")
            let answer = try emulator.request("GET", "/emulator/v1/messages?ids=\(list),unknown")
            let messages = try #require(answer.json?["messages"]?.arrayValue)
            #expect(Set(messages.compactMap { $0["message_id"]?.stringValue }) == Set(ids))
            let tapped = messages.first { $0["message_id"]?.stringValue == ids[0] }
            #expect(tapped?["opened"] == 1)
            #expect(tapped?["shown"] == 1)
            #expect(tapped?["outcomes"] == ["delivered": 1])
            let away = messages.first { $0["message_id"]?.stringValue == ids[2] }
            #expect(away?["outcomes"] == ["pending": 1])
            #expect(away?["label"] == "tide")
            let label = try emulator.request("GET", "/emulator/v1/messages?label=tide")
            #expect(label.json?["messages"]?.arrayValue?.count == 4)
            #expect(try emulator.request("GET", "/emulator/v1/messages").status == 400)
        }
    }
}
