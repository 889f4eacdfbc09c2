/// One part of a rule and its meaning, as text.
package struct RuleWording: Hashable, Sendable {
    /// For example `day of month`.
    package let part: String
    /// For example `1 and 15`.
    package let meaning: String
}
