import TestSupport
import Testing

@testable import SystemIO

struct CurrentProcessTests {
    @Test func `reads recorded arguments`() throws {
        let folder = try TemporaryFolder()
        try folder.write("cmdline", "herald\0plan\0\0-e\0münster\0")
        let found = CurrentProcess.recordedArguments(in: folder.path + "/cmdline")
        #expect(found == ["herald", "plan", "", "-e", "münster"])
        #expect(CurrentProcess.recordedArguments(in: folder.path + "/missing").isEmpty)
    }

    @Test func `the kernel records the arguments that Swift finds`() {
        let recorded = CurrentProcess.recordedArguments(in: "/proc/self/cmdline")
        #expect(recorded == CommandLine.arguments)
        #expect(CurrentProcess.arguments == recorded)
    }
}
