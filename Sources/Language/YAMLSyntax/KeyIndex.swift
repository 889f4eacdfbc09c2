internal import Diagnostics

/// The keys of one mapping, which lie on the stack.
///
/// Texts that Unicode holds to be canonically equal are one key.
struct KeyIndex {
    /// As long as there are no more, looking at each is faster than a table.
    private static let few = 8

    /// Empty while there are few.
    private var places: [String: SourceSpan] = [:]
    /// Of keys by alias, which stand elsewhere than their text.
    private var aliases: [String: SourceSpan] = [:]

    /// Returns the place of an equal key, if there is one; else the owner has to put this one on
    /// the stack with its value.
    ///
    /// Where there are many it is noted here too.
    /// The keys known so far stand on the stack from `first` on, each with its value.
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

    /// The key is an alias and stands here.
    mutating func note(alias text: String, at place: SourceSpan) { aliases[text] = place }
}
