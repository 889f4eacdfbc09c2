import Text

extension String {
    /// A suggestion for an unknown name; nil if no known name is similar.
    package static func didYouMean(_ name: String, among known: [String]) -> String? {
        SpellingSuggestion.nearest(to: name, among: known).map {
            "did you mean `\(TextStyle.safe($0))`?"
        }
    }
}
