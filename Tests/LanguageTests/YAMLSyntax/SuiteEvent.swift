/// One event in the YAML test suite's notation.
///
/// The marks of documents and flow style are omitted, because syntax trees do not have them.
struct SuiteEvent: Hashable {
    /// `+MAP`, `=VAL` and so on.
    let kind: String
    var anchor: String?
    /// In angle brackets.
    var tag: String?
    /// A scalar's style and escaped text, or an alias with its `*`.
    var text = ""

    init(_ kind: String, anchor: String? = nil, tag: String? = nil, text: String = "") {
        self.kind = kind
        self.anchor = anchor
        self.tag = tag
        self.text = text
    }

    init(line: String) {
        var rest = line[...]
        func word() -> String {
            let word = rest.prefix { $0 != " " }
            rest = rest.dropFirst(word.count + 1)
            return String(word)
        }
        kind = word()
        if rest.hasPrefix("{}") || rest.hasPrefix("[]") { _ = word() }
        if rest.hasPrefix("&") { anchor = String(word().dropFirst()) }
        if rest.hasPrefix("<") { tag = word() }
        if kind == "=VAL" || kind == "=ALI" { text = String(rest) }
    }

    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { character in
            switch character {
            case "\\": "\\\\"
            case "\u{8}": "\\b"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: String(character)
            }
        }.joined()
    }
}

/// A value as a tree, for both sides of the comparison.
indirect enum SuiteValue: Hashable {
    case scalar(String)
    case sequence([SuiteValue])
    case mapping([[SuiteValue]])
}

/// The documents that a text's events form: aliases expanded, anchors and tags dropped.
struct SuiteDocuments {
    private(set) var documents: [SuiteValue] = []
    private(set) var tags = 0
    private var anchored: [String: SuiteValue] = [:]
    private var rest: ArraySlice<SuiteEvent>

    init(_ events: [SuiteEvent]) {
        rest = events[...]
        while let event = rest.popFirst() {
            guard event.kind == "+DOC" else { continue }
            anchored = [:]
            let isEmpty = rest.first == SuiteEvent("=VAL", text: ":")
            if let value = value(), !isEmpty { documents.append(value) }
        }
    }

    /// nil at the end of a collection or document.
    private mutating func value() -> SuiteValue? {
        guard let event = rest.popFirst() else { return nil }
        if event.tag != nil { tags += 1 }
        let value: SuiteValue
        switch event.kind {
        case "=VAL": value = .scalar(event.text)
        case "=ALI": return anchored[String(event.text.dropFirst())]
        case "+SEQ": value = .sequence(values())
        case "+MAP": value = .mapping(pairs(values()))
        default: return nil
        }
        if let anchor = event.anchor { anchored[anchor] = value }
        return value
    }

    private mutating func values() -> [SuiteValue] {
        var values: [SuiteValue] = []
        while let value = value() { values.append(value) }
        return values
    }

    private func pairs(_ values: [SuiteValue]) -> [[SuiteValue]] {
        stride(from: 0, to: values.count - 1, by: 2).map { Array(values[$0...$0 + 1]) }
    }
}

extension SuiteValue {
    /// Every mapping within, including itself.
    var mappings: [[[SuiteValue]]] {
        switch self {
        case .scalar: []
        case .sequence(let elements): elements.flatMap(\.mappings)
        case .mapping(let pairs): [pairs] + pairs.joined().flatMap(\.mappings)
        }
    }

    /// A scalar's text; nil for collections.
    var text: Substring? {
        if case .scalar(let text) = self { text.dropFirst() } else { nil }
    }
}
