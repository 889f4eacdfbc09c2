import Text

/// Escapes untrusted text for a comment on GitHub or GitLab.
///
/// The text cannot add an element, link, image, mention, reference or emoji. Entities and
/// backslashes do not prevent a mention such as `@name`, because both sites search for mentions
/// after parsing Markdown, except in code. Therefore, words with a meaning to either site become
/// code, and the rest is escaped (GitHub Flavored Markdown Spec, sections 6.1 and 6.3; GitHub
/// documentation, Autolinked references and URLs; GitLab documentation, GitLab-specific
/// references).
enum MarkdownText {
    /// The maximum length of a shown text, in Unicode scalars.
    static let longest = 1_000

    /// A code span.
    ///
    /// A long text is cut and followed by the number of omitted characters.
    static func code(_ text: String) -> String {
        let (shown, more) = cut(text)
        return span(shown) + (more.map { " (\($0))" } ?? "")
    }

    /// A code span with a command, never cut.
    static func command(_ text: String) -> String { span(text) }

    private static func span(_ text: String) -> String {
        let content = TextStyle.line(text)
        guard !content.isEmpty else { return "(empty)" }
        let fence = String(repeating: "`", count: content.longestRunOfBackticks + 1)
        let isPadded =
            content.utf8.first == .backtick || content.utf8.last == .backtick
            || content.utf8.first == UInt8(ascii: " ")
        let padding = isPadded ? " " : ""
        return fence + padding + content + padding + fence
    }

    /// Escapes prose on one line.
    ///
    /// Words with a meaning to either site become code.
    static func prose(_ text: String) -> String {
        let words = words(text)
        return grouped(words) { $0 ? span($1) : escaped($1) }
    }

    /// Escapes prose in a cell of a table.
    static func cell(_ text: String) -> String {
        grouped(words(text)) { $0 ? cellCode($1) : escaped($1) }
    }

    /// A code span in a cell of a table.
    ///
    /// A vertical line would end the cell. Code cannot escape it after a backslash, so a broken line
    /// replaces it.
    static func cellCode(_ text: String) -> String {
        span(String(text.map { $0 == "|" ? "¦" : $0 }))
    }

    /// Renders Herald's own text, in which commands are between backticks.
    static func advice(_ text: String) -> String { advice(text, prose: prose, code: span) }

    /// Escapes prose inside an HTML element, where Markdown is not parsed.
    static func summary(_ text: String) -> String {
        let words = words(text)
        return grouped(words) { $0 ? element($1) : entities($1) }
    }

    /// Renders Herald's own text inside an HTML element.
    static func summaryAdvice(_ text: String) -> String {
        advice(text, prose: summary, code: element)
    }

    private static func advice(
        _ text: String,
        prose: (String) -> String,
        code: (String) -> String
    ) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, !parts.count.isMultiple(of: 2) else { return prose(text) }
        return parts.enumerated().map { index, part in
            guard index.isMultiple(of: 2) else { return code(part) }
            let (before, after) = (part.hasPrefix(" ") ? " " : "", part.hasSuffix(" ") ? " " : "")
            return part.allSatisfy { $0 == " " } ? before : before + prose(part) + after
        }.joined()
    }

    private static func element(_ code: String) -> String {
        "<code>\(entities(TextStyle.line(code)))</code>"
    }

    /// Cuts a long text and appends the number of omitted characters.
    ///
    /// For use on one line.
    static func excerpt(_ text: String) -> String {
        let (shown, more) = cut(text)
        return shown + (more.map { "… (\($0))" } ?? "")
    }

    private static func cut(_ text: String) -> (shown: String, more: String?) {
        let scalars = text.unicodeScalars
        guard text.utf8.count > longest, scalars.count > longest else { return (text, nil) }
        let rest = scalars.count - longest
        return (String(scalars.prefix(longest)), rest.counting("more character"))
    }

    /// A fenced code block.
    static func block(_ lines: [String], language: String) -> [String] {
        let content = lines.map(TextStyle.line)
        let longest = content.reduce(0) { max($0, $1.longestRunOfBackticks) }
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return [fence + language] + content + [fence]
    }

    private static func words(_ text: String) -> [String] {
        TextStyle.line(excerpt(text)).split(separator: " ").map(String.init)
    }

    /// Merges neighbouring code words into one span.
    private static func grouped(_ words: [String], write: (Bool, String) -> String) -> String {
        var groups: [(isCode: Bool, text: String)] = []
        for word in words {
            let isCode = MarkdownWord(word).meansSomething
            if let last = groups.indices.last, groups[last].isCode == isCode {
                groups[last].text += " " + word
            } else {
                groups.append((isCode, word))
            }
        }
        return groups.map { group -> String in
            guard group.isCode else { return write(false, group.text) }
            let parts = EnclosedText(group.text)
            return parts.before + write(true, parts.text) + parts.after
        }.joined(separator: " ")
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            if special.contains(character) { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result
    }

    private static let special = Set("\\`*_[]<>&~|!".unicodeScalars)

    static func entities(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A text without the punctuation at its end and the parentheses around it.
private struct EnclosedText {
    let before: String
    let text: String
    let after: String

    init(_ whole: String) {
        var text = whole[...]
        var after = ""
        while let mark = text.last, ";,.".contains(mark), text.count > 1 {
            after = String(mark) + after
            text = text.dropLast()
        }
        let isEnclosed = text.count > 2 && text.first == "(" && text.last == ")"
        before = isEnclosed ? "(" : ""
        self.text = String(isEnclosed ? text.dropFirst().dropLast() : text)
        self.after = (isEnclosed ? ")" : "") + after
    }
}

/// A word, with a check whether GitHub or GitLab would interpret it.
struct MarkdownWord {
    private let bytes: [UInt8]

    init(_ word: String) {
        bytes = Array(word.utf8)
    }

    /// Whether the word may be a mention, reference, commit, address, emoji name or formula.
    var meansSomething: Bool {
        bytes.contains(where: Self.always.contains) || isAddress || hasTwoColons || isReference
            || hasCommit
    }

    private static let always = Set("@#$".utf8)
    /// The prefixes of GitLab references.
    private static let beforeReference = Set("!~%&^*[".utf8)

    private var isAddress: Bool {
        let lowercase = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return lowercase.contains("://".utf8) || lowercase.contains("www.".utf8)
    }

    private var hasTwoColons: Bool { bytes.count { $0 == UInt8(ascii: ":") } > 1 }

    /// Examples: `GH-12`, `TIDE-12`, `!12`, `~bug`, `[vulnerability:1]`.
    private var isReference: Bool {
        bytes.indices.contains { index in
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if Self.beforeReference.contains(bytes[index]) {
                return next.isWordly || next == UInt8(ascii: "\"")
            }
            return bytes[index] == UInt8(ascii: "-") && next.isASCIIDigit && index > 0
                && bytes[index - 1].isWordly && !bytes[index - 1].isASCIIDigit
        }
    }

    /// Whether the word contains seven hexadecimal digits, the minimum length of abbreviated
    /// commits.
    private var hasCommit: Bool {
        var length = 0
        for byte in bytes {
            length = byte.isASCIIHexDigit ? length + 1 : 0
            if length == 7 { return true }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isWordly: Bool {
        isASCIILetterOrDigit || self == UInt8(ascii: "_") || self >= 0x80
    }
}

extension String {
    /// Counts bytes, not characters.
    ///
    /// A combining mark after a backtick forms another character, but not for Markdown.
    fileprivate var longestRunOfBackticks: Int {
        var longest = 0
        var length = 0
        for byte in utf8 {
            length = byte == .backtick ? length + 1 : 0
            longest = max(longest, length)
        }
        return longest
    }
}

extension UInt8 {
    fileprivate static let backtick = UInt8(ascii: "`")
}
