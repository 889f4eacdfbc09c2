import Text

/// A well-formed language tag, such as `pt`, `pt-BR` or `zh-Hant-TW` (BCP 47; RFC 5646, section
/// 2.1).
///
/// Tags that differ only in case are equal. No registry is consulted, so an unassigned subtag is
/// accepted.
package struct Locale: Sendable, CustomStringConvertible {
    /// As written.
    package let tag: String
    /// In lower case, for comparisons.
    package let folded: String

    /// A tag has at most 255 bytes here; RFC 5646, section 4.4.1, requires at least 35.
    package static let maximumLength = 255

    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        guard Subtags(text).areWellFormed || Self.isIrregular(text) else { return nil }
        tag = text
        folded = text.lowercased()
    }

    /// Returns the locale that a text in another notation means; nil if there is none.
    ///
    /// For example, `nb-NO` for `nb_NO` and for the POSIX name `nb_NO.UTF-8`.
    package static func meant(by text: String) -> Locale? {
        let name = text.prefix { $0 != "." && $0 != "@" }
        let words = name.split(whereSeparator: { " \t_-".contains($0) })
        return Locale(words.joined(separator: "-"))
    }

    package var description: String { tag }

    private static func isIrregular(_ text: String) -> Bool {
        // Some other characters have an ASCII letter as their lowercase form.
        text.utf8.allSatisfy { $0 < 0x80 } && irregularTags.contains(text.lowercased())
    }

    /// Grandfathered tags that do not match the syntax, in lower case (RFC 5646, section 2.1,
    /// `irregular`).
    package static let irregularTags: Set<String> = [
        "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux",
        "i-mingo", "i-navajo", "i-pwn", "i-tao", "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl",
        "sgn-ch-de",
    ]
}

extension Locale: Hashable {
    package static func == (left: Locale, right: Locale) -> Bool { left.folded == right.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}

/// The subtags of a language tag, read from front to back.
private struct Subtags {
    private let all: [Substring.UTF8View]
    private var rest: ArraySlice<Substring.UTF8View>

    init(_ tag: String) {
        all = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        rest = all[...]
    }

    /// Whether the subtags match `Language-Tag`, except for irregular tags.
    var areWellFormed: Bool {
        guard all.allSatisfy({ $0.isAlphanumeric(1...8) }) else { return false }
        var reader = self
        let hasLanguage = reader.skipLanguage()
        if hasLanguage {
            reader.skip { $0.isAlphabetic(4...4) }
            reader.skip { $0.isAlphabetic(2...2) || $0.isNumeric(3...3) }
            while reader.skip({ $0.isVariant }) {}
            guard reader.skipExtensions() else { return false }
        }
        let hasPrivateUse = reader.skipPrivateUse()
        return (hasLanguage || hasPrivateUse) && reader.rest.isEmpty
    }

    /// Steps over the next subtag if it has a form.
    @discardableResult
    private mutating func skip(_ hasForm: (Substring.UTF8View) -> Bool) -> Bool {
        guard let next = rest.first, hasForm(next) else { return false }
        rest.removeFirst()
        return true
    }

    /// A language of two or three letters may have up to three extended languages.
    private mutating func skipLanguage() -> Bool {
        guard skip({ $0.isAlphabetic(2...3) }) else { return skip { $0.isAlphabetic(4...8) } }
        var count = 0
        while count < 3, skip({ $0.isAlphabetic(3...3) }) { count += 1 }
        return true
    }

    /// Returns false if an extension has no subtags.
    private mutating func skipExtensions() -> Bool {
        while skip({ $0.isAlphanumeric(1...1) && !$0.isPrivateUse }) {
            guard skip({ $0.isAlphanumeric(2...8) }) else { return false }
            while skip({ $0.isAlphanumeric(2...8) }) {}
        }
        return true
    }

    /// Private use extends to the end of the tag.
    private mutating func skipPrivateUse() -> Bool {
        guard rest.count > 1, skip({ $0.isPrivateUse }) else { return false }
        rest = []
        return true
    }
}

extension Substring.UTF8View {
    fileprivate func isAlphanumeric(_ length: ClosedRange<Int>) -> Bool {
        length.contains(count) && allSatisfy(\.isASCIILetterOrDigit)
    }

    fileprivate func isAlphabetic(_ length: ClosedRange<Int>) -> Bool {
        length.contains(count) && allSatisfy(\.isASCIILetter)
    }

    fileprivate func isNumeric(_ length: ClosedRange<Int>) -> Bool {
        length.contains(count) && allSatisfy(\.isASCIIDigit)
    }

    /// Whether it is a variant: 5 to 8 letters and digits, or 4 that begin with a digit.
    fileprivate var isVariant: Bool {
        isAlphanumeric(5...8) || isAlphanumeric(4...4) && first?.isASCIIDigit == true
    }

    /// Whether it introduces private use.
    fileprivate var isPrivateUse: Bool { elementsEqual("x".utf8) || elementsEqual("X".utf8) }
}
