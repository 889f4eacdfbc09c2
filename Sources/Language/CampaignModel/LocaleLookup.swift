/// A key of `locales`: a locale, or `*` for all locales that no other key covers.
package enum LocaleRange: Hashable, Sendable, CustomStringConvertible {
    case locale(Locale)
    case others

    package init?(_ text: String) {
        if text == "*" {
            self = .others
        } else if let locale = Locale(text) {
            self = .locale(locale)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .locale(let locale): locale.tag
        case .others: "*"
        }
    }
}

/// Finds the text of a campaign for the locale of a recipient (RFC 4647, section 3.4, Lookup).
///
/// The locale is shortened from the end until a key of `locales` equals it: `pt-BR`, then `pt`. A
/// more specific key never matches: `pt` does not get the text of `pt-BR`.
package struct LocaleLookup: Hashable, Sendable {
    /// The text that a recipient gets.
    package enum Match: Hashable, Sendable {
        /// The text of this key of `locales`.
        case localization(Locale)
        /// The campaign's own text.
        case own
        /// None, because no key covers the locale.
        case uncovered
    }

    private let matches: [String: Match]
    private let others: Match
    /// The length of the longest key in UTF-8 bytes.
    private let longest: Int

    /// Creates the lookup of a campaign with these keys.
    package init(_ ranges: [LocaleRange]) {
        var matches: [String: Match] = [:]
        for case .locale(let locale) in ranges { matches[locale.folded] = .localization(locale) }
        self.matches = matches
        others = ranges.contains(.others) ? .own : .uncovered
        longest = matches.keys.map(\.utf8.count).max() ?? 0
    }

    /// Shortens the locale from the end until a key equals it.
    ///
    /// No key but `*` covers a recipient without a locale.
    package func match(for locale: Locale?) -> Match {
        var rest = locale.map { $0.folded[...] } ?? ""
        while !rest.isEmpty {
            if rest.utf8.count <= longest, let match = matches[String(rest)] { return match }
            rest = rest.withoutLastSubtag
        }
        return others
    }
}

extension Substring {
    /// The tag without its last subtag, and without the single letters and digits before it.
    fileprivate var withoutLastSubtag: Substring {
        var rest = self
        repeat {
            guard let hyphen = rest.lastIndex(of: "-") else { return "" }
            rest = rest[..<hyphen]
        } while rest.endsInSingleton
        return rest
    }

    /// Whether the last subtag is a single letter or digit.
    private var endsInSingleton: Bool { dropLast().last.map { $0 == "-" } ?? true }
}
