internal import Diagnostics

/// The keys of one mapping, which are stored on the stack.
///
/// Canonically equivalent Unicode texts are the same key.
struct KeyIndex {
    /// Up to this number of keys, a linear search is faster than a table.
    private static let few = 8

    /// Empty while there are few keys.
    private var places: [String: SourceSpan] = [:]
    /// The places of keys that are aliases; their text is elsewhere.
    private var aliases: [String: SourceSpan] = [:]

    /// Returns the place of an equal key if there is one.
    ///
    /// If there is none, the owner must put this key on the stack with its value. Large mappings
    /// also record the key in the table. The stack contains the known keys from `first` on, each
    /// followed by its value.
    mutating func insert(
        _ text: String,
        at place: SourceSpan,
        on stack: borrowing NodeStack,
        from first: Int
    ) -> SourceSpan? {
        let count = (stack.count - first) / 2
        guard count >= Self.few else {
            return stack.place(ofKey: text, from: first).map { aliases[text] ?? $0 }
        }
        if places.isEmpty {
            places = stack.keys(from: first).merging(aliases) { _, alias in alias }
        }
        if let known = places[text] { return known }
        places[text] = place
        return nil
    }

    /// Records that the key is an alias at `place`.
    mutating func note(alias text: String, at place: SourceSpan) { aliases[text] = place }
}
