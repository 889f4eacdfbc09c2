import Foundation
import Testing

@testable import SystemIO

struct OtherProcessTests {
    @Test(arguments: [
        ("4711 (herald) T 1 4711 4711 0 -1", "T"), ("4711 (herald) S 1", "S"),
        ("4711 (a) T (b) R 1", "R"), ("4711 (sh (T)) Z 1", "Z"),
    ])
    func `reads the state after the name of the program`(text: String, state: Character) {
        #expect(OtherProcess.state(in: text) == state)
    }

    @Test(arguments: ["", "4711 herald T", "4711 (herald)"])
    func `reads no state of another format`(text: String) {
        #expect(OtherProcess.state(in: text) == nil)
    }

    @Test func `sees whether a process is stopped`() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["cat"]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = Pipe()
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let other = OtherProcess(id: process.processIdentifier)
        #expect(!other.isStopped)
        kill(process.processIdentifier, SIGSTOP)
        var status: Int32 = 0
        // The kernel reports the stop once the process has stopped.
        #expect(waitpid(process.processIdentifier, &status, WUNTRACED) > 0)
        #expect(other.isStopped)
        kill(process.processIdentifier, SIGCONT)
    }

    @Test func `a process that does not exist is not stopped`() {
        #expect(!OtherProcess(id: .max).isStopped)
    }
}
