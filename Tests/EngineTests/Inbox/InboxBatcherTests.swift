import Inbox
import Testing

struct InboxBatcherTests {
    /// The driver's side: what the machine asked for.
    private struct Trace {
        var committing: [Int]?
        var acknowledged: [Int] = []
        var refused: [Int] = []
        var isFinished = false
    }

    private func note(_ commands: [InboxBatcher<Int>.Command], in trace: inout Trace) {
        for command in commands {
            switch command {
            case .commit(let messages):
                #expect(trace.committing == nil, "one commit at a time")
                trace.committing = messages.compactMap { Int($0.id) }
            case .acknowledge(let ticket, _): trace.acknowledged.append(ticket)
            case .refuse(let ticket, _): trace.refused.append(ticket)
            case .finish: trace.isFinished = true
            }
        }
    }

    @Test func `messages that arrive during a commit share the next one`() throws {
        var machine = InboxBatcher<Int>(batchLimit: 3)
        var trace = Trace()
        for number in 0..<6 {
            let message = try InboxFixtures.message("\(number)")
            note(machine.receive(.arrived(message, number)), in: &trace)
        }
        #expect(trace.committing == [0])
        #expect(trace.acknowledged == [])
        trace.committing = nil
        note(machine.receive(.committed([.stored])), in: &trace)
        #expect(trace.acknowledged == [0])
        #expect(trace.committing == [1, 2, 3])
        trace.committing = nil
        note(machine.receive(.failed), in: &trace)
        #expect(trace.refused == [1, 2, 3])
        #expect(trace.committing == [4, 5])
        trace.committing = nil
        note(machine.receive(.ended), in: &trace)
        #expect(!trace.isFinished)
        note(machine.receive(.committed([.duplicate, .conflictingContent])), in: &trace)
        #expect(trace.acknowledged == [0, 4, 5])
        #expect(trace.isFinished)
    }

    @Test func `refuses messages if too many wait, and after the end`() throws {
        var machine = InboxBatcher<Int>(batchLimit: 1, waitingLimit: 2)
        var trace = Trace()
        for number in 0..<5 {
            let message = try InboxFixtures.message("\(number)")
            note(machine.receive(.arrived(message, number)), in: &trace)
        }
        #expect(trace.refused == [3, 4])
        #expect(machine.openCount == 3)
        note(machine.receive(.ended), in: &trace)
        note(machine.receive(.arrived(try InboxFixtures.message("9"), 9)), in: &trace)
        #expect(trace.refused == [3, 4, 9])
    }
}
