import JSON
import Testing

struct PhonesTests {
    private func phones(_ emulator: TestEmulator, _ query: String = "") throws -> JSONValue {
        try #require(try emulator.request("GET", "/emulator/v1/phones?\(query)").json)
    }

    private func names(_ phones: JSONValue) -> [String] {
        (phones["devices"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    private func withMany(
        _ body: (TestEmulator) async throws -> Void
    ) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let devices = (1...30).map { number in
                #"{"name":"d\#(number)","platform":"web","topics":["town-\#(number % 3)"],"#
                    + #""registration":"d\#(number)","online":\#(number % 2 == 0)}"#
            }
            _ = try emulator.post("/emulator/v1/devices", "[\(devices.joined(separator: ","))]")
            try await body(emulator)
        }
    }

    @Test func `returns a page and the number of all matches`() async throws {
        try await withMany { emulator in
            let page = try phones(emulator, "skip=3&limit=2")
            #expect(names(page) == ["d1", "d2"])
            #expect(page["matches"] == 33)
            #expect(page["devices"]?.arrayValue?.first?["index"] == 3)
            #expect(names(try phones(emulator, "skip=33")) == [])
        }
    }

    @Test(arguments: [
        ("search=D1&skip=10", ["d19"]), ("search=town-2&limit=2", ["d2", "d5"]),
        ("search=town-2%20d2&limit=3", ["d2", "d20", "d23"]), ("search=nowhere", []),
        ("platform=android", ["pixel"]), ("device=d7", ["d7"]), ("device=d", []),
        ("state=offline&limit=2", ["d1", "d3"]), ("state=waiting", ["d3"]),
        ("state=tray", ["d4"]), ("search=TO%20FOUR", ["d4"]), ("search=w%C3%84rme", ["d4"]),
        ("search=to%20three", ["d3"]), ("state=lost", []), ("state=dozing", []),
    ])
    func `finds devices by text and state`(query: String, expected: [String]) async throws {
        try await withMany { emulator in
            _ = try emulator.send(
                #"{"message":{"token":"d3","notification":{"title":"To three"}}}"#
            )
            _ = try emulator.send(
                #"{"message":{"token":"d4","notification":{"title":"To four","body":"Wärme"}}}"#
            )
            #expect(names(try phones(emulator, query)) == expected)
        }
    }

    @Test func `returns only changed devices of the same page`() async throws {
        try await withMany { emulator in
            let first = try phones(emulator, "limit=20")
            #expect(first["complete"] == true)
            let cursor = try #require(first["cursor"]?.stringValue)
            _ = try emulator.send(#"{"message":{"token":"d2","data":{"a":"b"}}}"#)
            _ = try emulator.send(#"{"message":{"token":"d30","data":{"a":"b"}}}"#)
            let second = try phones(emulator, "limit=20&after=\(cursor)")
            #expect(names(second) == ["d2"])
            #expect(second["complete"] == false)
            #expect(try phones(emulator, "limit=10&after=\(cursor)")["complete"] == true)
        }
    }

    @Test func `a change of a selected page returns all of it`() async throws {
        try await withMany { emulator in
            let first = try phones(emulator, "state=offline")
            let cursor = try #require(first["cursor"]?.stringValue)
            #expect(names(try phones(emulator, "state=offline&after=\(cursor)")) == [])
            _ = try emulator.request(
                "PATCH",
                "/emulator/v1/devices/d1",
                #"{"online":true}"#
            )
            let second = try phones(emulator, "state=offline&after=\(cursor)")
            #expect(second["complete"] == true)
            #expect(second["matches"] == 14)
        }
    }

    @Test(arguments: ["limit=501", "limit=x", "skip=-1", "platform=palm", "state=happy"])
    func `refuses invalid parameters`(query: String) async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            #expect(try emulator.request("GET", "/emulator/v1/phones?\(query)").status == 400)
        }
    }
}
