package import Time

/// A slot and the instant at which it is due.
package struct SlotMoment: Hashable, Sendable {
    /// What the zone's clocks have to do with it.
    package enum Note: Hashable, Sendable {
        case none
        /// The slot does not exist on its day: clocks were put forward over it by so many
        /// seconds. The moment is later than the clocks would have shown it.
        case movedForward(gapSeconds: Int)
        /// The slot comes twice on its day: clocks were put back. The moment is the first.
        case firstOfTwo
    }

    /// The nominal local date and time, which no rule about clocks moves.
    package let slot: CivilDateTime
    package let moment: Instant
    package let note: Note
}
