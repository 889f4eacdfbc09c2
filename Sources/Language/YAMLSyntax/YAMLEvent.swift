/// One step through a YAML text.
struct YAMLEvent {
    enum Kind {
        /// The range contains `*` and the name.
        case alias
        case scalar(text: String, style: SyntaxScalar.Style)
        case sequenceStart
        case mappingStart
        case collectionEnd
        /// The beginning or end of a document, or the beginning of the text.
        case boundary
    }

    let kind: Kind
    /// Whether an anchor or a tag is at the beginning of the range.
    let hasProperties: Bool
    /// Byte offsets in the source.
    let range: Range<Int>
}

/// Why libyaml stopped.
struct YAMLFailure: Error {
    /// libyaml's own message.
    let problem: String
    /// A byte offset in the source; nil if the place is unknown.
    let place: Int?
    let context: String?
    /// A byte offset in the source; meaningful only with a context.
    let contextPlace: Int
}
