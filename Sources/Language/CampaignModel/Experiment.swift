import Text

/// One of several compared contents; a hash decides which one a person gets.
package struct Variant: Hashable, Sendable {
    package let id: Identifier<Variant>
    /// Its share is the weight divided by the sum of all weights.
    package let weight: Int
    /// The campaign's message with the variant's changes.
    package let content: MessageContent

    package init(id: Identifier<Variant>, weight: Int, content: MessageContent) {
        self.id = id
        self.weight = weight
        self.content = content
    }
}

/// A language as in the `locale` column of lists, such as `pt` or `pt-BR`.
package struct Locale: Hashable, Sendable, CustomStringConvertible {
    package let tag: String

    /// - Parameter text: a language of 2 or 3 letters, then subtags of 2 to 8 letters and digits
    ///   (RFC 5646, without the forms for private use).
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let language = parts.first, (2...3).contains(language.utf8.count),
            language.utf8.allSatisfy({ $0.isASCIILetterOrDigit && !$0.isASCIIDigit }),
            parts.dropFirst().allSatisfy({ part in
                (2...8).contains(part.utf8.count) && part.utf8.allSatisfy(\.isASCIILetterOrDigit)
            })
        else { return nil }
        tag = text
    }

    package var description: String { tag }
}

/// A campaign's content in one language.
package struct Localization: Hashable, Sendable {
    package let locale: Locale
    /// The campaign's message with the language's changes.
    package let content: MessageContent

    package init(locale: Locale, content: MessageContent) {
        self.locale = locale
        self.content = content
    }
}
