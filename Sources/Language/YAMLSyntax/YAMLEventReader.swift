internal import CLibYAML

/// Runs libyaml's event parser over one text.
///
/// It owns a copy of the text and the parser's memory. Both stay in place until `deinit` frees
/// them, because libyaml keeps pointers into both.
@safe
struct YAMLEventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// Read in place; copying the event takes longer than reading its few fields.
    private let event: UnsafeMutablePointer<yaml_event_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let text: YAMLText
    private var cursor: CharacterCursor

    init(_ text: YAMLText) throws(YAMLFailure) {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            throw YAMLFailure(problem: "out of memory", place: nil, context: nil, contextPlace: 0)
        }
        let body = text.input
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: body.count)
        _ = unsafe input.initialize(from: body)
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
        unsafe self.parser = parser
        unsafe event = UnsafeMutablePointer<yaml_event_t>.allocate(capacity: 1)
        unsafe event.initialize(to: yaml_event_t())
        unsafe self.input = input
        self.text = text
        cursor = CharacterCursor(text)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe event.deallocate()
        unsafe input.deallocate()
    }

    /// Returns the next event; nil after the end of the text.
    mutating func next() throws(YAMLFailure) -> YAMLEvent? {
        guard unsafe yaml_parser_parse(parser, event) == 1 else { throw failure() }
        defer { unsafe yaml_event_delete(event) }
        guard let kind = unsafe YAMLEvent.Kind(event) else { return nil }
        let start = unsafe cursor.offset(ofCharacter: Int(event.pointee.start_mark.index))
        let end = unsafe cursor.offset(ofCharacter: Int(event.pointee.end_mark.index))
        let range = start..<max(start, end)
        return unsafe YAMLEvent(
            kind: text.asWritten(kind, in: range),
            hasProperties: hasProperties(event) || isMarkedAsText(at: start),
            range: range
        )
    }

    /// libyaml hides a scalar's tag `!`; no scalar begins with this character.
    private func isMarkedAsText(at start: Int) -> Bool {
        let isScalar = unsafe event.pointee.type == YAML_SCALAR_EVENT
        let isEmpty =
            unsafe event.pointee.start_mark.index == event.pointee.end_mark.index
        return isScalar && !isEmpty && text.byte(at: start) == UInt8(ascii: "!")
    }

    private mutating func failure() -> YAMLFailure {
        let state = unsafe parser.pointee
        let isPlaced = unsafe state.error == YAML_SCANNER_ERROR || state.error == YAML_PARSER_ERROR
        return unsafe YAMLFailure(
            problem: state.problem.map { unsafe String(cString: $0) } ?? "out of memory",
            place: isPlaced ? cursor.offset(of: state.problem_mark) : nil,
            context: state.context.map { unsafe String(cString: $0) },
            contextPlace: cursor.offset(of: state.context_mark)
        )
    }
}

extension CharacterCursor {
    fileprivate mutating func offset(of mark: yaml_mark_t) -> Int {
        offset(ofCharacter: Int(mark.index))
    }
}

extension YAMLEvent.Kind {
    /// nil at the end of the text.
    fileprivate init?(_ event: UnsafePointer<yaml_event_t>) {
        switch unsafe event.pointee.type {
        case YAML_SCALAR_EVENT: unsafe self.init(scalar: event)
        case YAML_ALIAS_EVENT: self = .alias
        case YAML_SEQUENCE_START_EVENT: self = .sequenceStart
        case YAML_MAPPING_START_EVENT: self = .mappingStart
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: self = .collectionEnd
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
        default: self = .boundary
        }
    }

    private init(scalar event: UnsafePointer<yaml_event_t>) {
        let bytes = unsafe UnsafeBufferPointer(
            start: event.pointee.data.scalar.value,
            count: event.pointee.data.scalar.length
        )
        self = unsafe .scalar(
            text: String(decoding: bytes, as: UTF8.self),
            style: SyntaxScalar.Style(event.pointee.data.scalar.style)
        )
    }
}

extension SyntaxScalar.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: self = .literal
        case YAML_FOLDED_SCALAR_STYLE: self = .folded
        default: self = .plain
        }
    }
}

private func hasProperties(_ event: UnsafePointer<yaml_event_t>) -> Bool {
    switch unsafe event.pointee.type {
    case YAML_SCALAR_EVENT:
        unsafe event.pointee.data.scalar.anchor != nil || event.pointee.data.scalar.tag != nil
    case YAML_SEQUENCE_START_EVENT:
        unsafe event.pointee.data.sequence_start.anchor != nil
            || event.pointee.data.sequence_start.tag != nil
    case YAML_MAPPING_START_EVENT:
        unsafe event.pointee.data.mapping_start.anchor != nil
            || event.pointee.data.mapping_start.tag != nil
    default: false
    }
}
