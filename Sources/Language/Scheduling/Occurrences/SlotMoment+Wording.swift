import Time

extension SlotMoment {
    /// Describes how a clock change affects the slot; nil if none does.
    package var noteWording: String? {
        switch note {
        case .none: nil
        case .movedForward(let gap):
            "\(slot.time) does not exist on this day: clocks go forward by "
                + NumberWording.duration(seconds: gap)
        case .firstOfTwo: "\(slot.time) occurs twice on this day; this is the first"
        }
    }
}
