internal import Diagnostics

/// The keys of one mapping.
///
/// Texts that Unicode holds to be canonically equal are one key.
struct KeyIndex {
    private var few: [(text: String, place: SourceSpan)] = []
    private var many: [String: SourceSpan] = [:]

    /// Returns the place of an equal key, if there is one, and leaves it in place.
    mutating func insert(_ text: String, at place: SourceSpan) -> SourceSpan? {
        if let known = many[text] ?? few.first(where: { $0.text == text })?.place { return known }
        if few.count < 8 {
            few.append((text, place))
        } else {
            many[text] = place
        }
        return nil
    }
}
