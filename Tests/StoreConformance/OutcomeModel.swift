import CampaignModel
import State
import Testing

/// A unit's outcomes in a dictionary, changed randomly together with a store.
struct OutcomeModel {
    private var generator: SeededGenerator
    private var known: [Int: RequestOutcome] = [:]
    private var released = 0
    private let count: Int

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        count = Int.random(in: 1...13_000, using: &generator)
    }

    consuming func compare(with store: any StateStore, campaign: String) async throws {
        let unit = try await StoreFixtures.openedUnit(store, campaign: campaign, count: count).id
        for _ in 0..<20 {
            for _ in 0..<10 { try await change(unit, of: store) }
            try await compare(unit, campaign: campaign, of: store)
        }
    }

    private mutating func change(_ unit: UnitID, of store: any StateStore) async throws {
        let mark =
            Bool.random(using: &generator) ? Int.random(in: 0...count, using: &generator) : nil
        // Adjacent requests, as from a dispatcher, and sometimes one far away.
        let start = Int.random(in: 0..<count, using: &generator)
        let outcomes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
            randomOutcome(near: start)
        }
        try await store.record(outcomes, released: mark, of: unit)
        for outcome in outcomes { known[outcome.index] = outcome }
        released = max(released, mark ?? 0)
    }

    private mutating func randomOutcome(near start: Int) -> RequestOutcome {
        let isStray = Int.random(in: 0..<8, using: &generator) == 0
        let index =
            isStray
            ? Int.random(in: 0..<count, using: &generator)
            : min(count - 1, start + Int.random(in: 0..<64, using: &generator))
        let details = ["UNREGISTERED", "503", "dead", "cap", "forgotten", nil]
        let detail = details.randomElement(using: &generator) ?? nil
        let outcome = Outcome.allCases.randomElement(using: &generator) ?? .intended
        return RequestOutcome(
            index: index,
            outcome: outcome,
            detail: outcome == .intended ? nil : detail
        )
    }

    private mutating func compare(
        _ unit: UnitID,
        campaign: String,
        of store: any StateStore
    ) async throws {
        let all = (0..<count).map { known[$0] ?? RequestOutcome(index: $0, outcome: .intended) }
        let bounds = [0, 1].map { _ in Int.random(in: 0...count, using: &generator) }.sorted()
        let range = bounds[0]..<bounds[1]
        #expect(try await store.outcomes(of: unit, in: range) == all[range].map(\.outcome))
        let details = Dictionary(
            uniqueKeysWithValues: all[range].compactMap { outcome in
                outcome.detail.map { (outcome.index, $0) }
            }
        )
        #expect(try await store.details(of: unit, in: range) == details)
        let limit = Int.random(in: 0...200, using: &generator)
        var tally = OutcomeTally()
        for outcome in Outcome.allCases {
            let matching = all.filter { $0.outcome == outcome }
            tally[outcome] = matching.count
            #expect(
                try await store.requests(of: unit, with: outcome, limit: limit)
                    == Array(matching.prefix(limit))
            )
        }
        let record = try await StoreFixtures.unit(of: campaign, in: store)
        #expect(record.tally == tally)
        #expect(record.released == released)
    }
}
