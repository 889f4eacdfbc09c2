import JSON
import TestSupport
import Testing

@testable import HeraldCommands

struct SchemaCommandTests {
    @Test func `prints a JSON Schema`() async throws {
        let run = try await runHerald(["schema", "campaign"], in: try TemporaryFolder())
        #expect(run.code == 0)
        #expect(run.err == "")
        #expect(try run.json["$schema"] == "http://json-schema.org/draft-07/schema#")
    }

    @Test func `refuses the name of a document that does not exist`() async throws {
        let run = try await runHerald(["schema", "campaigns"], in: try TemporaryFolder())
        #expect(run.code == 64)
        #expect(run.out == "")
        #expect(run.err.hasPrefix("Error: The value 'campaigns' is invalid for '<document>'."))
    }
}
