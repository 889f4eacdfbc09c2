/// What one call of a compression library did.
struct DecodingStep {
    enum Result {
        /// The frame continues; the library needs more input or more space.
        case unfinished
        case endOfFrame
        case damaged
        case windowTooLarge
        case noMemory
    }

    let consumed: Int
    let produced: Int
    let result: Result
}
