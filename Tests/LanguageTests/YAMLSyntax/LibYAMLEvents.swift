import CLibYAML

/// Reads libyaml's own events without any Herald code.
enum LibYAMLEvents {
    /// Returns nil if libyaml refuses the text.
    static func read(_ text: String) -> [SuiteEvent]? {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { return nil }
        defer { yaml_parser_delete(parser) }
        // Adds one byte that is not read, because an empty buffer might have no address.
        return (Array(text.utf8) + [0]).withUnsafeBufferPointer { input in
            yaml_parser_set_input_string(parser, input.baseAddress, input.count - 1)
            return events(parser)
        }
    }

    private static func events(
        _ parser: UnsafeMutablePointer<yaml_parser_t>
    ) -> [SuiteEvent]? {
        var events: [SuiteEvent] = []
        while events.last?.kind != "-STR" {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { return nil }
            defer { yaml_event_delete(&event) }
            events.append(SuiteEvent(event))
        }
        return events
    }
}

extension SuiteEvent {
    fileprivate init(_ event: yaml_event_t) {
        switch event.type {
        case YAML_STREAM_START_EVENT: self.init("+STR")
        case YAML_STREAM_END_EVENT: self.init("-STR")
        case YAML_DOCUMENT_START_EVENT: self.init("+DOC")
        case YAML_DOCUMENT_END_EVENT: self.init("-DOC")
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            self.init("+SEQ", anchor: string(start.anchor), tag: bracketed(start.tag))
        case YAML_SEQUENCE_END_EVENT: self.init("-SEQ")
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            self.init("+MAP", anchor: string(start.anchor), tag: bracketed(start.tag))
        case YAML_MAPPING_END_EVENT: self.init("-MAP")
        case YAML_ALIAS_EVENT:
            self.init("=ALI", text: "*" + (string(event.data.alias.anchor) ?? ""))
        case YAML_SCALAR_EVENT: self.init(scalar: event)
        default: self.init("")
        }
    }

    private init(scalar event: yaml_event_t) {
        let scalar = event.data.scalar
        let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
        let style =
            switch scalar.style {
            case YAML_SINGLE_QUOTED_SCALAR_STYLE: "'"
            case YAML_DOUBLE_QUOTED_SCALAR_STYLE: "\""
            case YAML_LITERAL_SCALAR_STYLE: "|"
            case YAML_FOLDED_SCALAR_STYLE: ">"
            default: ":"
            }
        self.init(
            "=VAL",
            anchor: string(scalar.anchor),
            tag: bracketed(scalar.tag),
            text: style + Self.escaped(String(decoding: bytes, as: UTF8.self))
        )
    }
}

private func string(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    bytes.map { String(cString: $0) }
}

private func bracketed(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    string(bytes).map { "<\($0)>" }
}
