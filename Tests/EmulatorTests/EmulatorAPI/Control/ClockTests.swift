import DeliveryModel
import EmulatorAPI
import EmulatorServer
import JSON
import Testing

struct ClockTests {
    private static let path = "/emulator/v1/clock"

    private static func put(_ emulator: TestEmulator, _ body: String) throws -> HTTPAnswer {
        try emulator.request("PUT", path, body)
    }

    @Test func `follows the system clock until it is set`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let clock = try emulator.request("GET", Self.path).json
            #expect(clock?["mode"] == "real")
            #expect(clock?["rate"] == 1)
        }
    }

    @Test func `a frozen clock moves only when it is advanced`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let put = try Self.put(emulator, #"{"mode":"frozen","at":"2040-01-01T00:00:00Z"}"#)
            #expect(put.json?["time"] == "2040-01-01T00:00:00.000Z")
            _ = try emulator.request("PATCH", "/emulator/v1/devices/pixel", #"{"online":false}"#)
            let body = #"{"message":{"token":"pixel","data":{"a":"1"},"android":{"ttl":"60s"}}}"#
            _ = try emulator.send(body)
            _ = try Self.put(emulator, #"{"advance":"59s"}"#)
            #expect(try emulator.inboxes().first?["pending"] == 1)
            let moved = try Self.put(emulator, #"{"advance":"1s"}"#)
            #expect(
                moved.json == [
                    "mode": "frozen", "time": "2040-01-01T00:01:00.000Z", "rate": 0,
                ]
            )
            #expect(try emulator.inboxes().first?["pending"] == 0)
            #expect(try emulator.inboxes().first?["dropped"] == 1)
            #expect(try emulator.request("GET", Self.path).json == moved.json)
        }
    }

    @Test func `never moves backwards`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            _ = try Self.put(emulator, #"{"at":"2040-01-01T00:00:00Z"}"#)
            for body in [
                #"{"at":"2039-12-31T23:59:59.999Z"}"#, #"{"advance":"-1s"}"#,
                #"{"at":"2040-01-01"}"#, #"{"at":"2041-01-01T00:00:00Z","advance":"1s"}"#,
                #"{"advance":"999999999999s"}"#, #"{"mode":"frozen","rate":2}"#,
                #"{"mode":"real","advance":"1s"}"#, #"{"mode":"running","rate":0}"#,
                #"{"mode":"running","rate":1000001}"#,
            ] {
                #expect(try Self.put(emulator, body).status == 400, "\(body)")
            }
            let same = try Self.put(emulator, #"{"at":"2040-01-01T00:00:00Z"}"#)
            #expect(same.status == 200)
            _ = try Self.put(emulator, #"{"mode":"real"}"#)
            let clock = try emulator.request("GET", Self.path).json
            #expect(clock?["mode"] == "real")
            #expect(clock?["time"] == "2040-01-01T00:00:00.000Z")
        }
    }

    @Test func `runs at a rate`() async throws {
        try await TestEmulator.run { (emulator, _) async throws in
            let put = try Self.put(emulator, #"{"at":"2040-01-01T00:00:00Z","rate":1000000}"#)
            #expect(put.json?["mode"] == "running")
            var time = ""
            while time < "2040-01-01T01:00:00" {
                time = try emulator.request("GET", Self.path).json?["time"]?.stringValue ?? "z"
            }
            #expect(time.hasPrefix("2040-"))
        }
    }

    @Test func `continues from its last time after a restart`() async throws {
        let directory = try TemporaryDirectory()
        let first = try await TestEmulator(directory)
        _ = try Self.put(first, #"{"at":"2040-01-01T00:00:00Z"}"#)
        _ = try Self.put(first, #"{"advance":"3600s"}"#)
        await first.server.stop()
        let second = try await TestEmulator(directory)
        let clock = try second.request("GET", Self.path).json
        #expect(clock == ["mode": "frozen", "time": "2040-01-01T01:00:00.000Z", "rate": 0])
        await second.server.stop()
    }

    @Test func `can be virtual from the start`() async throws {
        let directory = try TemporaryDirectory()
        let moment = try #require(DeliveryMoment(instant: "2026-03-20T07:30:00Z"))
        for expected in [2, 2] {
            let server = try await EmulatorService.start(
                EmulatorConfiguration(
                    directory: directory.emulator,
                    setup: EmulatorSetup(devices: .threePhones, clock: .virtual(at: moment))
                )
            )
            let lines = try directory.logText().split(separator: "\n")
            #expect(lines.count == expected)
            #expect(lines.allSatisfy { $0.contains(#""time":"2026-03-20T07:30:00.000Z""#) })
            await server.stop()
        }
        let real = try await EmulatorService.start(
            EmulatorConfiguration(
                directory: directory.emulator,
                setup: EmulatorSetup(clock: .real)
            )
        )
        #expect(try directory.logText().split(separator: "\n").count == 3)
        await real.stop()
    }
}
