import Time

/// The slots of a rule one after the other.
struct RecurrenceSlots: Sequence, IteratorProtocol {
    private let rule: RecurrenceRule
    /// Slots up to here are passed over.
    private let floor: CivilDateTime?
    private var cursor: RecurrenceCursor
    private var period = RecurrencePeriod.empty
    private var position = 0
    /// How many are left of `COUNT`.
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

    /// The next slot with exceptions and those up to `floor`.
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

    /// Where slots are counted, every one from the start on is.
    private var firstWanted: CivilDateTime {
        guard remaining == nil, let floor else { return rule.start }
        return floor < rule.start ? rule.start : floor
    }
}
