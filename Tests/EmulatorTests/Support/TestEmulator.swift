import DeliveryModel
import EmulatorAPI
import EmulatorServer
import FoundationEssentials
import JSON
import Testing

/// A directory that is deleted with the value.
final class TemporaryDirectory {
    let path: String

    init() throws {
        let root = FileManager.default.temporaryDirectory.path
        path = "\(root)/herald-emulator-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var log: String { path + "/emulator/requests.ndjson" }
    var emulator: String { path + "/emulator" }

    func logText() throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    }

    func write(log text: String) throws {
        try FileManager.default.createDirectory(
            atPath: emulator,
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(filePath: log))
    }
}

/// An emulator for one test, and a connection to it.
struct TestEmulator {
    let server: EmulatorService
    let client: LoopbackClient

    init(
        _ directory: TemporaryDirectory,
        devices: [DeviceSpecification] = .threePhones,
        limits: DeliveryLimits = DeliveryLimits()
    )
        async throws
    {
        server = try await EmulatorService.start(
            EmulatorConfiguration(
                directory: directory.emulator,
                setup: EmulatorSetup(devices: devices, limits: limits)
            )
        )
        client = try LoopbackClient(url: server.url)
    }

    /// Runs a test with an emulator in a new directory, and then stops the emulator.
    static func run(
        devices: [DeviceSpecification] = .threePhones,
        limits: DeliveryLimits = DeliveryLimits(),
        _ body: (TestEmulator, TemporaryDirectory) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let emulator = try await TestEmulator(directory, devices: devices, limits: limits)
        do {
            try await body(emulator, directory)
        } catch {
            await emulator.server.stop()
            throw error
        }
        await emulator.server.stop()
    }

    func request(
        _ method: String,
        _ path: String,
        _ body: String = "",
        authorization: String? = "Bearer owner",
        projectID: String? = nil
    ) throws -> HTTPAnswer {
        try client.send(
            LoopbackClient.text(
                method,
                path,
                body: body,
                authorization: authorization,
                projectID: projectID
            )
        )
        return try client.receive()
    }

    func post(_ path: String, _ body: String) throws -> HTTPAnswer {
        try request("POST", path, body)
    }

    func send(_ body: String) throws -> HTTPAnswer {
        try post("/v1/projects/tidewatch/messages:send", body)
    }

    func subscribe(_ topic: String, _ registrations: String...) throws {
        let list = registrations.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try post(
            "/iid/v1:batchAdd",
            #"{"to":"/topics/\#(topic)","registration_tokens":[\#(list)]}"#
        )
        try #require(answer.status == 200)
    }

    func inboxes() throws -> [JSONValue] {
        try request("GET", "/emulator/v1/inboxes").json?["devices"]?.arrayValue ?? []
    }

    /// Returns the messages that one device received.
    func received(by name: String) throws -> [JSONValue] {
        let inbox = try inboxes().first { $0["name"] == .string(name) }
        return try #require(inbox?["received"]?.arrayValue)
    }
}

extension [DeviceSpecification] {
    /// `pixel`, `iphone` and `browser`, whose registrations equal their names.
    static var threePhones: [DeviceSpecification] {
        zip(["pixel", "iphone", "browser"], DevicePlatform.allCases).compactMap { name, platform in
            DeviceRegistration(name).map {
                DeviceSpecification(name: name, platform: platform, registration: $0)
            }
        }
    }
}
