import Time

extension SlotMoment {
    /// What clocks do to the slot, for people; nil where they do nothing.
    package var noteWords: String? {
        switch note {
        case .none: nil
        case .movedForward(let gap):
            "\(slot.time) does not exist on this day: clocks go forward by "
                + NumberWords.duration(seconds: gap)
        case .firstOfTwo: "\(slot.time) occurs twice on this day; this is the first"
        }
    }
}
