import Time

/// Moves slots onto a zone's clocks, one after the other.
///
/// Slots of a gap are due later than some that follow them, so they wait until nothing can come
/// before them any more.
struct OccurrenceIterator: Sequence, IteratorProtocol {
    private let occurrences: Occurrences
    private let after: Instant
    private let slots: AnyIterator<CivilDateTime>
    /// Ascending, no two at the same moment.
    private var waiting: [SlotMoment] = []
    /// No further slot is due before it; nil when there are no more.
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
        let placed = occurrences.place(slot)
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
