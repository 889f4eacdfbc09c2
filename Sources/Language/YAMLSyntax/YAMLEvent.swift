/// One step through a YAML text.
struct YAMLEvent {
    enum Kind {
        /// The range is that of `*` and the name.
        case alias
        case scalar(text: String, style: SyntaxScalar.Style)
        case sequenceStart
        case mappingStart
        case collectionEnd
        /// The beginning or end of a document or the beginning of the text.
        case boundary
    }

    let kind: Kind
    /// An anchor or a tag stands at the beginning of the range.
    let hasProperties: Bool
    /// Byte offsets in the source.
    let range: Range<Int>
}

/// Why libyaml gave up.
struct YAMLFailure: Error {
    /// libyaml's own words.
    let problem: String
    /// A byte offset in the source; nil where no place is known.
    let place: Int?
    let context: String?
    /// A byte offset in the source; means something only with a context.
    let contextPlace: Int
}
