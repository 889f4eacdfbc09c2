import JSON
import Testing

struct ChangesTests {
    private func changes(_ emulator: TestEmulator, after cursor: String = "") throws -> JSONValue {
        let answer = try emulator.request("GET", "/emulator/v1/changes?after=\(cursor)")
        return try #require(answer.json)
    }

    private func names(_ changes: JSONValue) -> [String] {
        (changes["devices"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    @Test func `returns everything first and then the changes`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let first = try changes(emulator)
            #expect(first["whole"] == true)
            #expect(names(first) == ["pixel", "iphone", "browser"])
            let cursor = try #require(first["cursor"]?.stringValue)
            #expect(names(try changes(emulator, after: cursor)) == [])
            _ = try emulator.send(#"{"message":{"token":"iphone","notification":{"title":"a"}}}"#)
            _ = try emulator.send(#"{"message":{"token":"pixel","notification":{"title":"b"}}}"#)
            let second = try changes(emulator, after: cursor)
            #expect(second["whole"] == false)
            #expect(names(second) == ["iphone", "pixel"])
            #expect(
                second["devices"]?.arrayValue?.last?["tray"]?.arrayValue?.first?["title"] == "b"
            )
            #expect(second["requests"]?.arrayValue?.count == 2)
        }
    }

    @Test func `removing a device invalidates the cursor`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let cursor = try #require(try changes(emulator)["cursor"]?.stringValue)
            _ = try emulator.request("DELETE", "/emulator/v1/devices/iphone")
            let after = try changes(emulator, after: cursor)
            #expect(after["whole"] == true)
            #expect(names(after) == ["pixel", "browser"])
            #expect(after["device_count"] == 2)
        }
    }

    @Test func `returns at most 200 devices and reports that there are more`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let devices = (1...201).map { #"{"name":"d\#($0)","platform":"web"}"# }
            _ = try emulator.post("/emulator/v1/devices", "[\(devices.joined(separator: ","))]")
            let first = try changes(emulator)
            #expect(names(first).count == 200)
            #expect(first["more"] == true)
            let rest = try changes(emulator, after: first["cursor"]?.stringValue ?? "")
            #expect(names(rest) == ["d198", "d199", "d200", "d201"])
            #expect(rest["more"] == false)
            #expect(rest["whole"] == false)
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
