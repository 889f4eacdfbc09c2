import Diagnostics
import Text
import YAMLSyntax

extension SyntaxNode {
    /// An edit that writes another word in place of this scalar.
    ///
    /// It is safe, and leaves quotes as they are, where the scalar is one of `words` but for its
    /// case, `_` and `-`.
    func fix(writing word: String, among words: [String]) -> Fix {
        let text = scalar?.text ?? ""
        let isSure = SpellingSuggestion.isSure(word, for: text, among: words)
        return fix(writing: word, isSure: isSure)
    }

    /// As a key beside others: a key that stands there already makes it a guess which one counts.
    func fix(writing word: String, among words: [String], beside entries: [SyntaxEntry]) -> Fix {
        let isFree = !entries.contains { $0.key.scalar?.text == word }
        return isFree ? fix(writing: word, among: words) : fix(writing: word, isSure: false)
    }

    /// `isSure`: nothing else can be meant.
    func fix(writing word: String, isSure: Bool) -> Fix {
        guard isSure, let scalar, scalar.verbatimStart != nil else {
            return Fix(span: span, replacement: word)
        }
        return Fix(
            span: span(ofText: 0..<scalar.text.utf8.count),
            replacement: word,
            applicability: .safe
        )
    }
}
