import DeliveryModel
import Testing
import Time

@testable import Presentation
@testable import Simulation

struct SimulationViewTests {
    @Test(arguments: [
        ([1, 1], [25, 25]), ([999, 1], [49, 1]), ([0, 7], [0, 50]),
        // Counts that are too small for a piece take one from the largest count.
        ([9_996, 1, 1, 1, 1], [46, 1, 1, 1, 1]), ([0, 0], [0, 0]),
    ])
    func `a bar has 50 pieces, and at least one for every positive count`(
        counts: [Int],
        pieces: [Int]
    ) {
        #expect(SimulationBar.pieces(of: counts) == pieces)
    }

    @Test func `each shade represents four times as many messages as the previous one`() {
        let levels = [0, 1, 3, 4, 15, 16, 63, 64, 65, 255, 256].map {
            SimulationTimeline.level($0, of: 256)
        }
        let shades = [0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]
        #expect(levels == shades.map { "level\($0)" })
    }

    @Test func `hostile text is escaped in the page`() throws {
        let hostile = "<img src=x onerror=alert(1)>\u{202E}"
        let list = SimulatedAudience.devices(name: hostile, count: 5)
        let result = SimulationBench.simulation(
            of: [SimulationBench.send(hostile, at: 60, to: list)],
            over: SimulationBench.uniform(5, .android, .always)
        ).run()
        let story = SimulationDescription(
            result,
            comparedWith: result,
            assumptions: [.tooSmall(audience: hostile, count: 9)],
            zone: .utc,
            named: hostile
        )
        let page = SimulationHTMLView(story).render()
        #expect(!page.contains("<img"))
        #expect(!page.contains("\u{202E}"))
        #expect(page.contains("&lt;img src=x onerror=alert(1)&gt;"))
    }

    @Test(arguments: [(1, 1), (7, 1), (8, 1), (9, 2), (30, 4), (60, 8)])
    func `a strip combines hours so that it fits on a phone`(days: Int, hours: Int) {
        let list = SimulatedAudience.devices(name: "all", count: 1)
        let result = SimulationBench.simulation(
            of: [SimulationBench.send(at: 60, to: list)],
            over: SimulationBench.uniform(1, .android, .always),
            days: Int64(days)
        ).run()
        let story = SimulationDescription(result, assumptions: [], zone: .utc, named: "UTC")
        #expect(SimulationTimeline(story).hours == hours)
    }

    @Test func `the comparison names new, changed and removed campaigns`() throws {
        func result(_ sends: [(String, Int)]) -> SimulationResult {
            SimulationBench.simulation(
                of: sends.map { name, count in
                    SimulationBench.send(name, at: 60, to: .devices(name: name, count: count))
                },
                over: SimulationBench.uniform(100, .android, .always)
            ).run()
        }
        let comparison = SimulationComparison(
            result([("same", 10), ("new", 20), ("more", 30)]),
            with: result([("same", 10), ("more", 25), ("gone", 40)])
        )
        #expect(comparison.rows.map(\.campaign) == ["new", "more", "gone"])
        #expect(comparison.rows.map(\.before) == [nil, 25, 40])
        #expect(comparison.rows.map(\.after) == [20, 30, nil])
        #expect(comparison.rows.map(\.difference) == [20, 5, -40])
        #expect(comparison.unchanged == 1)
        #expect(SimulationComparison.signed(-1_200) == "−1,200")
    }

    @Test func `assumptions come first, then the comparison and the results`() throws {
        let list = SimulatedAudience.devices(name: "all", count: 5)
        let result = SimulationBench.simulation(
            of: [SimulationBench.send(at: 60, to: list)],
            over: SimulationBench.uniform(5, .android, .always)
        ).run()
        let story = SimulationDescription(
            result,
            comparedWith: result,
            assumptions: [],
            zone: .utc,
            named: "UTC"
        )
        let page = SimulationHTMLView(story).render()
        let places = ["assumptions", "comparison", "hours"].map {
            page.firstRange(of: "id=\"\($0)\"")
        }
        let starts = places.compactMap { $0?.lowerBound }
        #expect(starts.count == 3 && starts == starts.sorted())
        #expect(story.assumptions.first == "5 devices are simulated")
    }
}
