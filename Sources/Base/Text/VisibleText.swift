extension TerminalText {
    /// Like `printable`, for code that lays out text itself.
    ///
    /// Line feeds and the joiners that combine emoji are kept.
    package static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\n" || !mustBeEscaped(scalar) || joinsEmoji(scalars, at: index) {
                result.unicodeScalars.append(scalar)
            } else {
                result += escaped(scalar)
            }
        }
        return result
    }

    /// A zero-width joiner between pictures (Unicode Technical Standard 51, emoji ZWJ sequences).
    private static func joinsEmoji(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
        guard scalars[index] == "\u{200D}", index > 0, index + 1 < scalars.count else {
            return false
        }
        let (before, after) = (scalars[index - 1], scalars[index + 1])
        return (isPicture(before) || before == "\u{FE0F}" || before.properties.isEmojiModifier)
            && isPicture(after)
    }

    /// Digits are emoji in Unicode's definition, but they are not pictures.
    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0xFF && scalar.properties.isEmoji
    }
}
