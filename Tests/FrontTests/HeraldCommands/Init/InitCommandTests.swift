import TestSupport
import Testing

@testable import HeraldCommands

struct InitCommandTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `creates a project that is valid and can be planned`() async throws {
        let run = try await runHerald(["init", "--timezone", "Atlantic/Azores"], in: folder)
        #expect(run.code == 0)
        #expect(run.out.contains(" with time zone Atlantic/Azores:\n  herald.yaml  "))
        #expect(try await runHerald(["validate"], in: folder).code == 0)
        #expect(try await runHerald(["plan"], in: folder).code == 0)
    }

    @Test func `overwrites no file`() async throws {
        try folder.write("herald.yaml", "mine")
        let run = try await runHerald(["init"], in: folder)
        #expect(run.code == 1)
        #expect(run.out == "")
        #expect(
            run.err == """
                error: nothing was written, because these exist already: herald.yaml
                help: choose another directory, as in `herald init push`

                """
        )
    }

    @Test func `suggests the nearest time zone`() async throws {
        let run = try await runHerald(["init", "--timezone", "Europe/Lisbn"], in: folder)
        #expect(run.code == 64)
        #expect(
            run.err == """
                error: `Europe/Lisbn` is not a time zone of this system
                help: did you mean `Europe/Lisbon`?

                """
        )
    }

    @Test func `uses the time zone of TZ`() async throws {
        let run = try await runHerald(["init"], in: folder, variables: ["TZ": "Asia/Tokyo"])
        #expect(run.out.contains(" with time zone Asia/Tokyo:\n"))
    }
}
