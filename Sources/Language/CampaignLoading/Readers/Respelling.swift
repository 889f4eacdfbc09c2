import Diagnostics
import Text
import YAMLSyntax

extension SyntaxNode {
    /// Returns an edit that replaces this scalar with another word.
    ///
    /// It is safe and keeps quotes if the scalar differs from one of `words` only in case, `_` and
    /// `-`.
    func fix(writing word: String, among words: [String]) -> Fix {
        let text = scalar?.text ?? ""
        let isSure = SpellingSuggestion.isSure(word, for: text, among: words)
        return fix(writing: word, isSure: isSure)
    }

    /// Returns an edit for a key next to others.
    ///
    /// If the key already exists, the edit is only a suggestion, because it is uncertain which one
    /// counts.
    func fix(writing word: String, among words: [String], beside entries: [SyntaxEntry]) -> Fix {
        let isFree = !entries.contains { $0.key.scalar?.text == word }
        return isFree ? fix(writing: word, among: words) : fix(writing: word, isSure: false)
    }

    /// `isSure`: Whether no other meaning is possible.
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
