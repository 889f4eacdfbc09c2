import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct SimulateCommandTests {
    @Test func `plays the plan on virtual devices, and sends nothing`() async throws {
        let project = try TemporaryFolder.newsProject()
        let server = FakeServer()
        let command = ["simulate", "--devices", "100", "--seed", "7", "--format", "json"]
        let first = try await runHerald(command, in: project, server: server)
        let second = try await runHerald(command, in: project, server: server)
        #expect(first.code == 0)
        #expect(first.out == second.out)
        #expect(try first.json["seed"] == "7")
        #expect(server.requests.isEmpty)
    }
}
