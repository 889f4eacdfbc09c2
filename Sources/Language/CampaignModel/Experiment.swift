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
