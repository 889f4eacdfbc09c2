import TestSupport
import Testing

@testable import HeraldCommands

struct FingerprintCommandTests {
    let project: TemporaryFolder

    init() async throws {
        project = try .newsProject()
    }

    @Test func `prints one fingerprint per line of the input, and no registration`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(
            ["registrations", "fingerprint", "-"],
            in: project,
            input: .pipe(["ana:APA91b-1", "# comment", "bea:APA91b-2"])
        )
        #expect(run.code == 0)
        let lines = run.out.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(Set(lines).count == 2)
        #expect(lines.allSatisfy { $0.count == 16 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test func `names the line that is not a registration, without its text`() async throws {
        _ = try await runHerald(["apply", "--yes"], in: project)
        let run = try await runHerald(
            ["registrations", "fingerprint", "-"],
            in: project,
            input: .pipe(["ana:APA91b-1", "bea APA91b-2"])
        )
        #expect(run.code == 1)
        #expect(
            run.err == """
                error: line 2 is not a registration
                help: remove white space, quotes and commas

                """
        )
    }

    @Test func `needs a state, whose key makes the fingerprints`() async throws {
        let run = try await runHerald(["registrations", "fingerprint", "-"], in: project)
        #expect(run.code == 1)
        #expect(
            run.err == """
                error: there is no state of local yet, and fingerprints need its key
                help: create it with the first `herald apply`

                """
        )
    }
}
