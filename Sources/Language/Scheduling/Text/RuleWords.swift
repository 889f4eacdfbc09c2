/// One part of a rule and what it means, for people.
package struct RuleWords: Hashable, Sendable {
    /// As in `day of month`.
    package let part: String
    /// As in `1 and 15`.
    package let meaning: String
}
