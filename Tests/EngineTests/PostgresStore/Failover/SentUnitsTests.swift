import CampaignModel
import Foundation
import JSON
import State
import StoreConformance
import StoreTables
import Testing

@testable import PostgresStore

struct SentUnitsTests {
    private let unit = UnitID(number: 5)
    private let start = ContinuousClock.now

    private func opened(_ campaign: String = "sale") throws -> OpenedOccurrence {
        OpenedOccurrence(
            id: try StoreFixtures.occurrence(campaign),
            due: StoreFixtures.due,
            message: ["topic": "news"],
            target: .topic(try #require(Topic("news"))),
            count: 1_000_000
        )
    }

    @Test func `knows only what may have been sent`() throws {
        var sent = SentUnits()
        sent.open(try opened(), as: unit, mark: 0)
        #expect(sent.isEmpty)
        #expect(sent.sent.isEmpty)
        sent.record([], released: 4, of: unit)
        sent.record([], released: 2, of: unit)
        #expect(!sent.isEmpty)
        #expect(sent.sent.map(\.mark) == [4])
    }

    @Test func `ignores a unit that it does not know`() {
        var sent = SentUnits()
        sent.record(FailoverScene.outcomes(0..<3, .accepted), released: 3, of: unit)
        #expect(sent.isEmpty)
        #expect(sent.outcomes(of: unit).isEmpty)
    }

    @Test func `keeps the newest outcome of a request`() throws {
        var sent = SentUnits()
        sent.open(try opened(), as: unit, mark: 0)
        for outcome in [Outcome.unknown, .returned, .intended, .accepted] {
            sent.record(FailoverScene.outcomes(3..<4, outcome), released: 4, of: unit)
        }
        #expect(sent.outcomes(of: unit).mapValues(\.outcome) == [3: .accepted])
        #expect(sent.sent.first?.again == 3..<4)
    }

    @Test func `forgets old outcomes, but no mark`() throws {
        var sent = SentUnits()
        sent.open(try opened(), as: unit, mark: 0)
        for first in stride(from: 0, to: 400_000, by: 1_000) {
            let outcomes = FailoverScene.outcomes(first..<first + 1_000, .accepted)
            sent.record(outcomes, released: first + 1_000, of: unit)
        }
        let known = sent.outcomes(of: unit)
        #expect((50_000...102_000).contains(known.count))
        #expect((350_000..<400_000).allSatisfy { known[$0] != nil })
        #expect(sent.sent.first?.mark == 400_000)
    }

    @Test func `forgets a unit an hour after its last change`() throws {
        var sent = SentUnits()
        sent.open(try opened(), as: unit, mark: 0, at: start)
        sent.record([], released: 1, of: unit, at: start + .seconds(600))
        sent.forgetOld(at: start + .seconds(4_200))
        #expect(sent.contains(unit))
        sent.forgetOld(at: start + .seconds(4_201))
        #expect(!sent.contains(unit))
    }

    @Test func `forgets very many units after a minute`() throws {
        var sent = SentUnits()
        let occurrence = try opened()
        for number in 0..<30_000 {
            let now = start + .milliseconds(10 * number)
            let id = UnitID(number: Int64(number))
            sent.open(occurrence, as: id, mark: 1, at: now)
        }
        #expect((6_000...16_000).contains(sent.sent.count))
        #expect(sent.contains(UnitID(number: 25_000)))
    }

    @Test func `gives units other numbers, also those that others had`() throws {
        var sent = SentUnits()
        for (number, campaign) in [(5, "sale"), (6, "tides")] {
            let id = UnitID(number: Int64(number))
            sent.open(try opened(campaign), as: id, mark: 0)
            sent.record(FailoverScene.outcomes(0..<number, .accepted), released: number, of: id)
        }
        sent.renumber([unit: UnitID(number: 6), UnitID(number: 6): UnitID(number: 7)])
        #expect(sent.sent.map(\.id.number) == [6, 7])
        #expect(sent.sent.map(\.mark) == [5, 6])
        #expect(sent.outcomes(of: UnitID(number: 6)).count == 5)
        #expect(sent.outcomes(of: UnitID(number: 7)).count == 6)
        #expect(!sent.contains(unit))
    }
}
