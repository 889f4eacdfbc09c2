import DeliveryModel
import EmulatorAPI
import EmulatorServer
import FoundationEssentials
import JSON
import Testing

struct RestartTests {
    /// Runs an emulator on a copy of the files of a running one, as after a kill.
    private func afterKill(
        of directory: TemporaryDirectory,
        damage: (String) -> String = { $0 },
        _ body: (TestEmulator, TemporaryDirectory) throws -> Void
    ) async throws {
        let copy = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: directory.emulator, toPath: copy.emulator)
        try copy.write(log: damage(try copy.logText()))
        #expect(RunningEmulator.find(in: copy.emulator) == nil)
        let emulator = try await TestEmulator(copy)
        do {
            try body(emulator, copy)
        } catch {
            await emulator.server.stop()
            throw error
        }
        await emulator.server.stop()
    }

    private func fill(_ emulator: TestEmulator) throws {
        try emulator.subscribe("tides", "pixel", "browser")
        _ = try emulator.request("PATCH", "/emulator/v1/devices/browser", #"{"online":false}"#)
        _ = try emulator.send(#"{"message":{"topic":"tides","notification":{"title":"Maré"}}}"#)
        _ = try emulator.send(#"{"message":{"token":"iphone","data":{"a":"1"}}}"#)
        _ = try emulator.send(#"{"message":{"token":"nobody:APA91b"}}"#)
    }

    @Test func `restores devices, memberships and inboxes after a kill`() async throws {
        try await TestEmulator.run { (first, directory) async throws in
            try fill(first)
            let before = try first.inboxes()
            try await afterKill(of: directory) { second, copy in
                #expect(try second.inboxes() == before)
                let lines = try copy.logText().split(separator: "\n").count
                #expect(lines == 6)
                _ = try second.send(#"{"message":{"token":"iphone","data":{"a":"2"}}}"#)
                let last = try second.request("GET", "/emulator/v1/requests?after=6").json
                #expect(last?["requests"]?.arrayValue?.map { $0["seq"] } == [7])
            }
        }
    }

    @Test func `erasing removes all data, and a running emulator cannot be erased`() async throws {
        try await TestEmulator.run { (first, directory) async throws in
            let untouched = try first.inboxes()
            try fill(first)
            let process = Int(ProcessInfo.processInfo.processIdentifier)
            #expect(throws: EmulatorError.directoryInUse(pid: process)) {
                try EmulatorService.erase(directory: directory.emulator)
            }
            let copy = try TemporaryDirectory()
            try FileManager.default.copyItem(atPath: directory.emulator, toPath: copy.emulator)
            try EmulatorService.erase(directory: copy.emulator)
            try EmulatorService.erase(directory: copy.emulator)
            let second = try await TestEmulator(copy)
            let inboxes = Result { try second.inboxes() }
            await second.server.stop()
            #expect(try inboxes.get() == untouched)
        }
    }

    @Test func `truncates an incomplete last line`() async throws {
        try await TestEmulator.run { (first, directory) async throws in
            try fill(first)
            let before = try first.inboxes()
            let torn = { (text: String) in text + #"{"seq":7,"time":"2037-0"# }
            try await afterKill(of: directory, damage: torn) { second, copy in
                #expect(try second.inboxes() == before)
                _ = try second.send(#"{"message":{"token":"nobody:APA91b"}}"#)
                let lines = try copy.logText().split(separator: "\n")
                #expect(lines.count == 7)
                #expect(lines.allSatisfy { JSONValue(parsing: String($0)) != nil })
            }
        }
    }

    @Test func `reports the first damaged line`() async throws {
        let directory = try TemporaryDirectory()
        let emulator = try await TestEmulator(directory)
        try fill(emulator)
        await emulator.server.stop()
        let whole = try directory.logText()
        for damaged in [
            whole.replacing("\"seq\":3,", with: "\"seq\":9,"),
            whole.replacing("\"seq\":3,", with: "\"sq\":3,"),
            whole.replacing("{\"seq\":3,", with: "\"seq\":3,"),
        ] {
            try directory.write(log: damaged)
            await #expect(throws: EmulatorError.damagedLog(line: 3)) {
                _ = try await EmulatorService.start(
                    EmulatorConfiguration(directory: directory.emulator)
                )
            }
        }
    }

    @Test func `is found only while it runs`() async throws {
        let directory = try TemporaryDirectory()
        let emulator = try await TestEmulator(directory)
        let found = RunningEmulator.find(in: directory.emulator)
        #expect(found?.url == emulator.server.url)
        #expect(found?.pid == Int(ProcessInfo.processInfo.processIdentifier))
        await emulator.server.stop()
        await emulator.server.stop()
        #expect(RunningEmulator.find(in: directory.emulator) == nil)
        #expect(!FileManager.default.fileExists(atPath: directory.emulator + "/running.json"))
    }

    @Test func `a directory has one emulator at a time`() async throws {
        try await TestEmulator.run { (_, directory) async throws in
            let configuration = EmulatorConfiguration(directory: directory.emulator)
            let pid = Int(ProcessInfo.processInfo.processIdentifier)
            await #expect(throws: EmulatorError.directoryInUse(pid: pid)) {
                _ = try await EmulatorService.start(configuration)
            }
        }
    }

    @Test func `a start records only the seeding of new devices`() async throws {
        let directory = try TemporaryDirectory()
        for expected in [1, 1] {
            let emulator = try await TestEmulator(directory)
            #expect(try directory.logText().split(separator: "\n").count == expected)
            await emulator.server.stop()
        }
        let tablet = DeviceSpecification(
            name: "tablet",
            platform: .android,
            registration: try registration("tablet")
        )
        let emulator = try await TestEmulator(directory, devices: .threePhones + [tablet])
        #expect(try directory.logText().split(separator: "\n").count == 2)
        #expect(try emulator.inboxes().count == 4)
        await emulator.server.stop()
    }

    @Test func `reports a path that cannot be a directory`() async throws {
        let directory = try TemporaryDirectory()
        try Data("x".utf8).write(to: URL(filePath: directory.path + "/file"))
        let configuration = EmulatorConfiguration(directory: directory.path + "/file/emulator")
        let failure = await #expect(throws: EmulatorError.self) {
            _ = try await EmulatorService.start(configuration)
        }
        guard case .directoryUnusable? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
