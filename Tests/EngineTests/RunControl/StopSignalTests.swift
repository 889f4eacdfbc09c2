import RunControl
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StopSignalTests {
    @Test func `does not wait for a raised signal`() async {
        let signal = StopSignal()
        #expect(!signal.isRaised)
        signal.raise()
        signal.raise()
        await signal.wait()
        #expect(signal.isRaised)
    }

    @Test func `raising the signal wakes all waiting tasks`() async {
        let signal = StopSignal()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await signal.wait()
                    return signal.isRaised
                }
            }
            group.addTask {
                await Task.yield()
                signal.raise()
                return true
            }
            for await sawIt in group { #expect(sawIt) }
        }
    }

    @Test func `cancelling ends a wait and leaves the signal unset`() async {
        let signal = StopSignal()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await signal.wait() } }
            await Task.yield()
            group.cancelAll()
        }
        #expect(!signal.isRaised)
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await signal.wait() }
        }
        #expect(!signal.isRaised)
    }
}
