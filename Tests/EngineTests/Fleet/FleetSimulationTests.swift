import FleetSimulation
import Foundation
import Testing

/// Plays fleets of 100 workers with everything that can go wrong.
struct FleetSimulationTests {
    /// The number of fleets; `make soak` plays 200,000.
    private static let seeds =
        ProcessInfo.processInfo.environment["HERALD_FLEET_SEEDS"].flatMap { UInt64($0) } ?? 200

    private struct Summary: Sendable {
        var failed: [String] = []
        var failovers = 0
        var held = 0
        var sends = 0
    }

    private static func play(_ seeds: StrideTo<UInt64>) -> Summary {
        var summary = Summary()
        for seed in seeds {
            var simulation = FleetSimulation(.random(seed: seed))
            let report = simulation.run()
            summary.failed += report.violations.map { "seed \(seed): \($0)" }
            summary.failovers += report.failovers
            summary.held += report.isHeld ? 1 : 0
            summary.sends += report.sends
        }
        return summary
    }

    @Test func `loses and doubles nothing, and few failovers end with a held occurrence`() async {
        let parts: UInt64 = 4
        let summaries = await withTaskGroup(of: Summary.self) { group in
            for part in 0..<parts {
                group.addTask { Self.play(stride(from: part, to: Self.seeds, by: Int(parts))) }
            }
            var all: [Summary] = []
            for await summary in group { all.append(summary) }
            return all
        }
        #expect(summaries.flatMap(\.failed) == [])
        let failovers = summaries.reduce(0) { $0 + $1.failovers }
        let held = summaries.reduce(0) { $0 + $1.held }
        #expect(held * 10 <= failovers, "\(held) of \(failovers) failovers end held")
        #expect(summaries.reduce(0) { $0 + $1.sends } > Int(Self.seeds) * 500)
    }

    @Test(arguments: [3, 14, 159] as [UInt64])
    func `a seed has the same trace each time`(seed: UInt64) {
        var first = FleetSimulation(.random(seed: seed))
        var second = FleetSimulation(.random(seed: seed))
        #expect(first.run().trace == second.run().trace)
        var other = FleetSimulation(.random(seed: seed + 1))
        #expect(first.run().trace != other.run().trace)
    }

    @Test(arguments: FleetFault.allCases)
    func `notices each broken rule`(fault: FleetFault) {
        for seed in 1...100 as ClosedRange<UInt64> {
            let schedule = FleetScenario.schedule(for: fault, seed: seed)
            var broken = FleetSimulation(schedule.with(fault))
            guard !broken.run().violations.isEmpty else { continue }
            // The same troubles do no harm without the fault.
            var sound = FleetSimulation(schedule)
            #expect(sound.run().violations == [])
            return
        }
        Issue.record("no seed notices \(fault)")
    }
}
