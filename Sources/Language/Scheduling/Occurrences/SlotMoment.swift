package import Time

/// A slot with its due time.
package struct SlotMoment: Hashable, Sendable {
    /// How a clock change affects the slot.
    package enum Note: Hashable, Sendable {
        case none
        /// The slot does not exist on its day, because clocks are set forward over it.
        ///
        /// The slot is due after the gap, or at its end.
        case movedForward(gapSeconds: Int)
        /// The slot occurs twice on its day, because clocks are set back; it is due the first time.
        case firstOfTwo
    }

    /// The nominal local date and time; clock changes never move it.
    package let slot: CivilDateTime
    package let moment: Instant
    package let note: Note
}
