import CampaignModel
import Planning
import RunControl
import State
import Testing

@testable import Sending

/// Tests which sends are started together, and when one of them needs a separate loop.
struct ShortSendTests {
    @Test func `batches grow to 512 sends and 2,000 requests`() {
        #expect(ShortBatches.ranges(of: [Int]()) == [])
        #expect(ShortBatches.ranges(of: [3]) == [0..<1])
        #expect(ShortBatches.ranges(of: Array(repeating: 1, count: 64)) == [0..<64])
        #expect(ShortBatches.ranges(of: Array(repeating: 1, count: 65)) == [0..<64, 64..<65])
        #expect(
            ShortBatches.ranges(of: Array(repeating: 3, count: 1_500))
                == [0..<64, 64..<192, 192..<448, 448..<960, 960..<1_472, 1_472..<1_500]
        )
        // 62 * 32 = 1,984; with one more, it would be 2,016.
        #expect(
            ShortBatches.ranges(of: Array(repeating: 32, count: 130))
                == [0..<62, 62..<124, 124..<130]
        )
        #expect(
            ShortBatches.ranges(
                of: Array(repeating: 1, count: 64) + [Int](repeating: 20, count: 101)
            )
                == [0..<64, 64..<164, 164..<165]
        )
    }

    private static func outcomes(_ outcome: Outcome, detail: String? = nil) -> [RequestOutcome] {
        [RequestOutcome(index: 0, outcome: outcome, detail: detail)]
    }

    @Test func `a batch only waits, sends, and records accepted requests`() {
        #expect(ShortStep([]) == .wait)
        #expect(ShortStep([.send([0, 1])]) == .send([0, 1]))
        let accepted = Self.outcomes(.accepted)
        #expect(
            ShortStep([.record(accepted, released: nil), .finish(.complete)])
                == .complete(accepted)
        )
    }

    @Test(
        arguments: [
            [.wake(at: .seconds(1))], [.refresh], [.send([0]), .wake(at: .seconds(1))],
            [.record(outcomes(.accepted), released: nil)], [.finish(.complete)],
            [.record(outcomes(.accepted), released: 2), .finish(.complete)],
            [.record(outcomes(.accepted), released: nil), .finish(.stopped)],
            [
                .record(outcomes(.rejected, detail: "UNREGISTERED"), released: nil),
                .finish(.complete),
            ],
            [.record(outcomes(.unknown, detail: "503"), released: nil), .finish(.unsettled)],
            [
                .record(outcomes(.accepted), released: nil), .markDead([1]), .finish(.complete),
            ],
            [.hold(.mostlyDead), .record(outcomes(.accepted), released: nil)],
        ] as [[DispatchMachine.Command]]
    )
    func `anything else needs a separate loop`(commands: [DispatchMachine.Command]) {
        #expect(ShortStep(commands) == .handOver)
    }

    @Test func `only a record of the mark alone releases all requests at once`() {
        #expect(ShortStep.mark(in: [.record([], released: 3)]) == 3)
        for commands: [DispatchMachine.Command] in [
            [], [.record([], released: nil)], [.wake(at: .seconds(1))],
            [.record(Self.outcomes(.intended), released: 3)],
            [.record([], released: 3), .wake(at: .seconds(1))], [.finish(.complete)],
        ] {
            #expect(ShortStep.mark(in: commands) == nil)
        }
    }
}
