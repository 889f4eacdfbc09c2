import JSON
import Testing

struct ChangesTests {
    private func changes(_ emulator: TestEmulator, after cursor: String = "") throws -> JSONValue {
        let answer = try emulator.request("GET", "/emulator/v1/changes?after=\(cursor)")
        return try #require(answer.json)
    }

    private func devices(_ changes: JSONValue) -> [String] {
        (changes["activity"]?.arrayValue ?? []).compactMap { $0["device"]?.stringValue }
    }

    @Test func `returns what is new`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let first = try changes(emulator)
            #expect(first["whole"] == true)
            #expect(first["device_count"] == 3)
            let cursor = try #require(first["cursor"]?.stringValue)
            #expect(devices(try changes(emulator, after: cursor)) == [])
            _ = try emulator.send(#"{"message":{"token":"iphone","notification":{"title":"a"}}}"#)
            _ = try emulator.send(#"{"message":{"token":"pixel","notification":{"title":"b"}}}"#)
            let second = try changes(emulator, after: cursor)
            #expect(second["whole"] == false)
            #expect(Set(devices(second)) == ["iphone", "pixel"])
            #expect(second["activity"]?.arrayValue?.last?["event"] == "delivered")
            #expect(second["requests"]?.arrayValue?.count == 2)
        }
    }

    @Test func `removing a device invalidates the cursor`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let cursor = try #require(try changes(emulator)["cursor"]?.stringValue)
            _ = try emulator.request("DELETE", "/emulator/v1/devices/iphone")
            let after = try changes(emulator, after: cursor)
            #expect(after["whole"] == true)
            #expect(after["device_count"] == 2)
        }
    }

    @Test func `the newest activity of many devices is limited`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let devices = (1...201).map { #"{"name":"d\#($0)","platform":"web"}"# }
            _ = try emulator.post("/emulator/v1/devices", "[\(devices.joined(separator: ","))]")
            for number in 1...50 {
                _ = try emulator.request(
                    "PATCH",
                    "/emulator/v1/devices/d\(number)",
                    #"{"online":false}"#
                )
            }
            let names = self.devices(try changes(emulator))
            #expect(names.count == 40)
            #expect(names.last == "d50")
        }
    }

    @Test(arguments: ["x", "20", "-1s", "31s"])
    func `refuses invalid and excessive waits`(wait: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let answer = try emulator.request("GET", "/emulator/v1/changes?wait=\(wait)")
            #expect(answer.status == 400)
        }
    }
}
