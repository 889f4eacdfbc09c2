import Time

/// Iterates over the slots of a rule.
struct RecurrenceSlots: Sequence, IteratorProtocol {
    private let rule: RecurrenceRule
    /// Slots up to this time are skipped.
    private let floor: CivilDateTime?
    private var cursor: RecurrenceCursor
    private var period = RecurrencePeriod.empty
    private var position = 0
    /// The remaining slots of `COUNT`.
    private var remaining: Int?

    init(_ rule: RecurrenceRule, after local: CivilDateTime?) {
        self.rule = rule
        floor = local
        if case .count(let count) = rule.end {
            remaining = count
            cursor = RecurrenceCursor(rule, notAfter: rule.start)
        } else {
            cursor = RecurrenceCursor(rule, notAfter: local ?? rule.start)
        }
    }

    mutating func next() -> CivilDateTime? {
        while let slot = nextNominal() {
            let isPassed = floor.map { slot <= $0 } ?? false
            if !isPassed, !rule.exceptions.contains(slot) { return slot }
        }
        return nil
    }

    /// Returns the next slot, including exceptions and slots up to `floor`.
    mutating func nextNominal() -> CivilDateTime? {
        guard remaining != 0 else { return nil }
        while position >= period.count {
            guard let next = cursor.next() else { return nil }
            period = next
            position = next.index(notBefore: firstWanted)
        }
        let slot = period.slot(position)
        position += 1
        if case .until(let last) = rule.end, slot > last {
            remaining = 0
            return nil
        }
        remaining = remaining.map { $0 - 1 }
        return slot
    }

    /// With `COUNT`, all slots from the start on are visited.
    private var firstWanted: CivilDateTime {
        guard remaining == nil, let floor else { return rule.start }
        return floor < rule.start ? rule.start : floor
    }
}
