/// Foreign text in a comment on GitHub or GitLab.
///
/// Whatever stands in the text, it stays text: it adds no element, link, image, mention, reference
/// or emoji. Entities and backslashes don't keep `@name` from being a mention, because mentions are
/// looked for after Markdown was read; only code is left alone. So what could mean something to
/// either site becomes code, and the rest is escaped (GitHub Flavored Markdown Spec, sections 6.1
/// and 6.3; GitHub documentation, Autolinked references and URLs; GitLab documentation,
/// GitLab-specific references).
enum MarkdownText {
    /// So much of a text is shown, in Unicode scalars.
    static let longest = 1_000

    /// A code span; of a text that is very long its beginning, and how much more there is.
    static func code(_ text: String) -> String {
        let (shown, more) = cut(text)
        return span(shown) + (more.map { " (\($0))" } ?? "")
    }

    /// A code span of what is to be typed: all of it.
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

    /// Words in a line, with code where a word could mean something.
    static func prose(_ text: String) -> String {
        let words = words(text)
        return grouped(words) { $0 ? span($1) : escaped($1) }
    }

    /// Herald's own words, in which it puts what is to be typed between backticks.
    static func advice(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, !parts.count.isMultiple(of: 2) else { return prose(text) }
        return parts.enumerated().map { index, part in
            guard index.isMultiple(of: 2) else { return span(part) }
            let (before, after) = (part.hasPrefix(" ") ? " " : "", part.hasSuffix(" ") ? " " : "")
            return part.allSatisfy { $0 == " " } ? before : before + prose(part) + after
        }.joined()
    }

    /// The same inside of an HTML element, where Markdown isn't read.
    static func summary(_ text: String) -> String {
        let words = words(text)
        return grouped(words) { $0 ? "<code>\(entities($1))</code>" : entities($1) }
    }

    /// A text that stays in its line, and its end where it is very long.
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

    /// A code block.
    static func block(_ lines: [String], language: String) -> [String] {
        let content = lines.map(TextStyle.line)
        let longest = content.reduce(0) { max($0, $1.longestRunOfBackticks) }
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return [fence + language] + content + [fence]
    }

    private static func words(_ text: String) -> [String] {
        TextStyle.line(excerpt(text)).split(separator: " ").map(String.init)
    }

    /// Neighbours that are code become one span.
    private static func grouped(_ words: [String], _ write: (Bool, String) -> String) -> String {
        var groups: [(isCode: Bool, text: String)] = []
        for word in words {
            let isCode = MarkdownWord(word).meansSomething
            if let last = groups.indices.last, groups[last].isCode == isCode {
                groups[last].text += " " + word
            } else {
                groups.append((isCode, word))
            }
        }
        return groups.map { write($0.isCode, $0.text) }.joined(separator: " ")
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

/// A word, and whether one of the sites would make something of it.
struct MarkdownWord {
    private let bytes: [UInt8]

    init(_ word: String) {
        bytes = Array(word.utf8)
    }

    /// A mention, a reference, a commit, an address, an emoji's name or a formula.
    var meansSomething: Bool {
        bytes.contains(where: Self.always.contains) || isAddress || hasTwoColons || isReference
            || hasCommit
    }

    private static let always = Set("@#$".utf8)
    /// What GitLab's references begin with.
    private static let beforeReference = Set("!~%&^*[".utf8)

    private var isAddress: Bool {
        let lowercase = bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return lowercase.contains("://".utf8) || lowercase.contains("www.".utf8)
    }

    private var hasTwoColons: Bool { bytes.count { $0 == UInt8(ascii: ":") } > 1 }

    /// `GH-12`, `TIDE-12`, `!12`, `~bug`, `[vulnerability:1]`.
    private var isReference: Bool {
        bytes.indices.contains { index in
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if Self.beforeReference.contains(bytes[index]) {
                return next.isWordly || next == UInt8(ascii: "\"")
            }
            return bytes[index] == UInt8(ascii: "-") && next.isDigit && index > 0
                && bytes[index - 1].isWordly && !bytes[index - 1].isDigit
        }
    }

    /// Seven hexadecimal digits in a row, as the shortest names of commits have.
    private var hasCommit: Bool {
        var length = 0
        for byte in bytes {
            length = byte.isHexadecimal ? length + 1 : 0
            if length == 7 { return true }
        }
        return false
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isWordly: Bool {
        isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
            || self == UInt8(ascii: "_") || self >= 0x80
    }
    fileprivate var isHexadecimal: Bool {
        isDigit || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
    }
}

extension String {
    /// In bytes: a combining mark behind a backtick makes another character of it, not for Markdown.
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
