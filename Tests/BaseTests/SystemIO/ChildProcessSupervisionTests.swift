import SystemIO
import TestSupport
import Testing

struct ChildProcessSupervisionTests {
    private struct Result {
        let end: ChildProcess.Supervision
        var output = ""
        var errors = ""
    }

    private static func run(
        _ script: String,
        within limit: Duration = .seconds(30),
        in directory: String = "/",
        isStopped: () -> Bool = { false }
    ) throws -> Result {
        let child = try ChildProcess(
            starting: ["sh", "-c", script],
            in: .supervised(
                variables: ["PATH": "/usr/bin:/bin", "TIDE": "ebb"],
                directory: directory
            )
        )
        var (output, errors) = ("", "")
        let end = child.supervise(until: .now + limit, isStopped: isStopped) { stream, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            switch stream {
            case .output: output += text
            case .errors: errors += text
            }
            return true
        }
        return Result(end: end, output: output, errors: errors)
    }

    @Test func `passes on both outputs and the exit code`() throws {
        let result = try Self.run("printf %s $TIDE; echo high >&2; exit 3")
        #expect(result.end == .ended(.exited(code: 3)))
        #expect(result.output == "ebb")
        #expect(result.errors == "high\n")
    }

    @Test func `the program runs in the directory, also if its path is relative`() throws {
        let folder = try TemporaryFolder()
        try folder.write("tide.sh", "pwd -P")
        let result = try Self.run("sh ./tide.sh", in: folder.path)
        let name = try #require(folder.path.split(separator: "/").last)
        #expect(result.output.hasSuffix("/\(name)\n"))
    }

    @Test func `a missing program ends with a reason`() throws {
        let child = try ChildProcess(
            starting: ["./missing"],
            in: .supervised(variables: ["PATH": "/usr/bin:/bin"], directory: "/")
        )
        var reason = ""
        let end = child.supervise(
            until: .now + .seconds(30),
            isStopped: { false },
            receive: { _, bytes in
                reason += String(decoding: bytes, as: UTF8.self)
                return true
            }
        )
        #expect(end == .ended(.exited(code: 127)))
        #expect(reason.contains("./missing"))
    }

    @Test func `reports the signal that ended the program`() throws {
        #expect(try Self.run("kill -9 $$").end == .ended(.killed(signal: 9)))
    }

    @Test func `kills a program that ignores signals at the deadline`() throws {
        let result = try Self.run(
            "trap '' TERM INT HUP; printf up; while :; do sleep 0.01; done",
            within: .milliseconds(200)
        )
        #expect(result.end == .timedOut(isOutputHeld: false))
    }

    @Test func `kills the processes that a program leaves behind`() throws {
        let held = try Self.run("sleep 60 & printf x", within: .milliseconds(200))
        #expect(held.end == .timedOut(isOutputHeld: true))
        #expect(held.output == "x")
        // The second process keeps only the standard error open.
        let started = ContinuousClock.now
        #expect(try Self.run("sleep 60 >&- & printf x").end == .ended(.exited(code: 0)))
        #expect(started.duration(to: .now) < .seconds(20))
    }

    @Test func `waits for the exit after the end of the output`() throws {
        let result = try Self.run("exec >&-; sleep 0.05; echo late >&2; exit 4")
        #expect(result.end == .ended(.exited(code: 4)))
        #expect(result.errors == "late\n")
    }

    @Test func `stops if the caller does not want to continue`() throws {
        #expect(try Self.run("exec sleep 60", isStopped: { true }).end == .stopped)
        let child = try ChildProcess(
            starting: ["yes"],
            in: .supervised(variables: ["PATH": "/usr/bin:/bin"], directory: "/")
        )
        var count = 0
        let end = child.supervise(
            until: .now + .seconds(30),
            isStopped: { false },
            receive: { _, bytes in
                count += bytes.count
                return count < 1_000_000
            }
        )
        #expect(end == .stopped)
    }
}
