import Time

/// Maps slots to due times, one after the other.
///
/// A slot in a gap may be due later than the slots that follow it. It waits until no slot with an
/// earlier due time can follow.
struct OccurrenceIterator: Sequence, IteratorProtocol {
    private let occurrences: Occurrences
    private let after: Instant
    private let slots: AnyIterator<CivilDateTime>
    /// In ascending order, with distinct due times.
    private var waiting: [SlotMoment] = []
    /// No further slot is due before it; nil if no slots remain.
    private var bound: Instant? = .earliest

    init(_ occurrences: Occurrences, after instant: Instant) {
        self.occurrences = occurrences
        after = instant
        slots = occurrences.pattern.slots(
            after: occurrences.zone.localTime(beforeSlotsAfter: instant)
        )
    }

    mutating func next() -> SlotMoment? {
        while true {
            while let bound, bound <= waiting.first?.moment ?? .latest { take() }
            guard let first = waiting.first else { return nil }
            waiting.removeFirst()
            if first.moment > after { return first }
        }
    }

    private mutating func take() {
        guard let slot = slots.next() else {
            bound = nil
            return
        }
        guard let placed = occurrences.place(slot) else { return }
        let lower = occurrences.bound(after: placed)
        if let end = occurrences.pattern.lastMoment, lower > end {
            bound = nil
            return
        }
        bound = lower
        if placed.moment <= occurrences.pattern.lastMoment ?? .latest { insert(placed) }
    }

    private mutating func insert(_ placed: SlotMoment) {
        guard !waiting.contains(where: { $0.moment == placed.moment }) else { return }
        let index = waiting.firstIndex { $0.moment > placed.moment } ?? waiting.endIndex
        waiting.insert(placed, at: index)
    }
}
