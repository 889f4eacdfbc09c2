internal import Diagnostics

/// The keys of one mapping.
///
/// Texts that Unicode holds to be canonically equal are one key.
struct KeyIndex {
    private var few: [(text: String, place: SourceSpan)] = []
    private var many: [String: SourceSpan] = [:]

    /// Returns the place of an equal key, if there is one, and leaves it in place.
    mutating func insert(_ text: String, at place: SourceSpan) -> SourceSpan? {
        for known in few where known.text == text { return known.place }
        if !many.isEmpty, let known = many[text] { return known }
        if few.isEmpty { few.reserveCapacity(8) }
        if few.count < 8 {
            few.append((text, place))
        } else {
            many[text] = place
        }
        return nil
    }
}
