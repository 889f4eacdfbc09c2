/// Makes untrusted text safe to print.
package enum TerminalText {
    /// Escapes characters that control a terminal, reorder text or are invisible, such as `\u{1B}`.
    ///
    /// These are controls (C0, DEL, C1), bidirectional marks, embeddings, overrides and isolates
    /// (Unicode Standard Annex 9), zero-width and other invisible format characters, line and
    /// paragraph separators, and tag characters. Everything else is unchanged.
    package static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if mustBeEscaped(scalar) {
                result += escaped(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Like `printable`, but cuts texts of more than 2,000 characters and adds `…`.
    ///
    /// A text that quotes an input may be as long as the input.
    package static func excerpt(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard text.utf8.count > 2_000, scalars.count > 2_000 else { return printable(text) }
        return printable(String(scalars.prefix(1_000))) + "…"
            + printable(String(scalars.suffix(1_000)))
    }

    package static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0x00...0x1F, 0x7F...0x9F: true
        // Soft hyphen, grapheme joiner, and letters and vowels without a shape.
        case 0x00AD, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0: true
        case 0x061C, 0x180B...0x180E, 0xFEFF: true
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        case 0xFFF9...0xFFFB: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }

    /// An ASCII escape in the notation of Swift and Rust.
    package static func escaped(_ scalar: Unicode.Scalar) -> String {
        "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }

    /// The number of terminal columns of a text that contains no characters to escape.
    package static func columns(of text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The number of terminal columns of a scalar: 0, 1 or 2.
    ///
    /// The wide ranges are those that are entirely wide or full-width in Unicode Standard Annex 11.
    /// Emoji are wide if they are shown as pictures by default.
    package static func columns(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x00..<0x300: 1
        case 0x1160...0x11FF: 0
        case 0x1F1E6...0x1F1FF: 1
        case 0x1100...0x115F, 0x2E80...0x3029, 0x3030...0x303E, 0x3041...0x3098,
            0x309B...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            2
        default: columnsByProperty(scalar.properties)
        }
    }

    private static func columnsByProperty(_ properties: Unicode.Scalar.Properties) -> Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: 0
        default: properties.isEmojiPresentation ? 2 : 1
        }
    }
}
