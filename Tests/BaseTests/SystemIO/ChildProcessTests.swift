import SystemIO
import Testing

struct ChildProcessTests {
    private static func output(
        _ script: String,
        within limit: Duration = .seconds(30)
    ) -> (text: String?, exitCode: CInt?)? {
        let variables = ["PATH": "/usr/bin:/bin", "TIDE": "ebb"]
        guard
            let child = ChildProcess(
                running: ["sh", "-c", script],
                in: .separate(variables: variables)
            )
        else {
            return nil
        }
        let deadline = ContinuousClock.now + limit
        let bytes = child.read(until: deadline, atMost: 100)
        if bytes == nil { child.kill() }
        return (
            bytes.map { String(decoding: $0, as: UTF8.self) }, child.exitCode(until: deadline)
        )
    }

    @Test func `returns output and exit code`() throws {
        let found = try #require(Self.output("printf %s $TIDE; exit 3"))
        #expect(found.text == "ebb")
        #expect(found.exitCode == 3)
    }

    @Test func `stops reading at the limit`() throws {
        let found = try #require(Self.output("printf %200s x"))
        #expect(found.text?.utf8.count == 100)
    }

    @Test func `has no exit code after a signal or the deadline`() throws {
        #expect(try #require(Self.output("kill -9 $$")).exitCode == nil)
        let late = try #require(Self.output("exec sleep 60", within: .milliseconds(20)))
        #expect(late.text == nil)
        #expect(late.exitCode == nil)
    }

    @Test func `a program that does not exist cannot start`() {
        var isStarted = false
        if let child = ChildProcess(running: ["/nowhere/tide"], in: .shared) {
            isStarted = true
            _ = child.exitCode()
        }
        #expect(!isStarted)
    }
}
