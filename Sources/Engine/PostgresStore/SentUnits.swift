import CampaignModel
import State

/// What this process sent itself, so that it can be recorded again after a failover that lost the last
/// commits.
///
/// - Invariant: A unit's mark is not lower than the one that this process has committed. Outcomes are
///   only the newest ones: without its outcome, a request below the mark is unknown.
struct SentUnits {
    struct Unit {
        fileprivate(set) var id: UnitID
        let occurrence: OpenedOccurrence
        fileprivate(set) var mark: Int
        /// Contains every request that was released again after it had been returned; nil if there is none.
        ///
        /// They are released in ascending order, so that few others are in between.
        fileprivate(set) var again: Range<Int>?
        fileprivate var changed: ContinuousClock.Instant
    }

    private var units: [UnitID: Unit] = [:]
    /// The last outcomes, by request; `older` are dropped as soon as there are enough newer ones.
    private var newer: [UnitID: [Int: RequestOutcome]] = [:]
    private var older: [UnitID: [Int: RequestOutcome]] = [:]
    private var newerCount = 0

    /// The number of outcomes that are remembered at least; at most twice as many, and those of one
    /// record, are in memory.
    private static let remembered = 50_000
    /// How long a unit is remembered after its last change: longer than standbys lag behind.
    private static let lifetime = Duration.seconds(3_600)
    /// The same while there are very many, such as short sends.
    private static let shortLifetime = Duration.seconds(60)
    private static let veryMany = 10_000

    /// Whether nothing may have been sent.
    var isEmpty: Bool { units.values.allSatisfy { $0.mark == 0 } }

    /// Those that may have been sent, in the order in which they were opened.
    var sent: [Unit] {
        units.values.filter { $0.mark > 0 }.sorted { $0.id.number < $1.id.number }
    }

    func contains(_ unit: UnitID) -> Bool { units[unit] != nil }

    /// The newest outcomes of a unit.
    func outcomes(of unit: UnitID) -> [Int: RequestOutcome] {
        (older[unit] ?? [:]).merging(newer[unit] ?? [:]) { _, newer in newer }
    }

    /// Adds a unit that is new or that this process did not know.
    ///
    /// `mark`: the one that is committed.
    mutating func open(
        _ occurrence: OpenedOccurrence,
        as unit: UnitID,
        mark: Int,
        at now: ContinuousClock.Instant = .now
    ) {
        // After a failover, a number may be that of another unit.
        forget(unit)
        units[unit] = Unit(id: unit, occurrence: occurrence, mark: mark, changed: now)
        if units.count.isMultiple(of: Self.veryMany) { forgetOld(at: now) }
    }

    /// Notes a record that is committed.
    mutating func record(
        _ outcomes: [RequestOutcome],
        released: Int?,
        of unit: UnitID,
        at now: ContinuousClock.Instant = .now
    ) {
        guard var changed = units.removeValue(forKey: unit) else { return }
        changed.mark = max(changed.mark, released ?? 0)
        changed.changed = now
        for outcome in outcomes {
            if outcome.outcome == .intended {
                let (first, past) = (outcome.index, outcome.index + 1)
                changed.again =
                    changed.again.map { min($0.lowerBound, first)..<max($0.upperBound, past) }
                    ?? first..<past
            }
            newer[unit, default: [:]][outcome.index] = outcome
        }
        units[unit] = changed
        newerCount += outcomes.count
        guard newerCount > Self.remembered else { return }
        (older, newer, newerCount) = (newer, [:], 0)
    }

    /// Forgets what standbys have stored for long.
    mutating func forgetOld(at now: ContinuousClock.Instant = .now) {
        let lifetime = units.count < Self.veryMany ? Self.lifetime : Self.shortLifetime
        for unit in units.values where now - unit.changed > lifetime { forget(unit.id) }
    }

    /// Gives units other numbers.
    mutating func renumber(_ numbers: [UnitID: UnitID]) {
        guard !numbers.isEmpty else { return }
        func renumbered<Value>(_ values: [UnitID: Value]) -> [UnitID: Value] {
            // A number that is given again belongs to the unit that got it.
            var rest = values
            var moved: [UnitID: Value] = [:]
            for (old, new) in numbers { moved[new] = rest.removeValue(forKey: old) }
            return rest.merging(moved) { _, moved in moved }
        }
        (units, newer, older) = (renumbered(units), renumbered(newer), renumbered(older))
        for (id, unit) in units where unit.id != id { units[id]?.id = id }
    }

    private mutating func forget(_ unit: UnitID) {
        units[unit] = nil
        newer[unit] = nil
        older[unit] = nil
    }
}
