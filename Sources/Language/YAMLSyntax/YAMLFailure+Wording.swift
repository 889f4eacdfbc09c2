internal import Diagnostics

/// Translates libyaml's failures for authors of campaigns.
extension YAMLFailure {
    func diagnostic(in text: YAMLText) -> Diagnostic {
        if problem == "could not find expected ':'", context == "while scanning a simple key" {
            return Diagnostic(
                rule: .yamlSyntax,
                message: "this is not a mapping entry: `:` is missing",
                span: text.span(character(at: contextPlace, in: text)),
                help: ["write `: ` and the value after the key, on the same line"]
            )
        }
        let isTab = isNoBeginning && text.byte(at: place ?? text.start) == UInt8(ascii: "\t")
        let problem = isTab ? Self.tab : problem
        return Diagnostic(
            rule: .yamlSyntax,
            message: "this is not valid YAML: \(Self.reasons[problem] ?? problem)",
            span: text.span(character(at: place ?? text.start, in: text)),
            related: related(in: text),
            help: Self.helps[problem].map { [$0] } ?? []
        )
    }

    private var isNoBeginning: Bool { problem == Self.noBeginning }

    private static let noBeginning = "found character that cannot start any token"
    private static let tab = "found a tab character that violates indentation"

    private func related(in text: YAMLText) -> [RelatedPlace] {
        guard let context, let words = Self.contexts[context], contextPlace != place else {
            return []
        }
        return [
            RelatedPlace(span: text.span(character(at: contextPlace, in: text)), message: words)
        ]
    }

    /// The character at a byte offset; empty at a line's end or the end of the text.
    private func character(at offset: Int, in text: YAMLText) -> Range<Int> {
        guard let first = text.byte(at: offset), !YAMLBytes.isBreak(first) else {
            return offset..<offset
        }
        var end = offset + 1
        while let byte = text.byte(at: end), byte & 0b1100_0000 == 0b1000_0000 { end += 1 }
        return offset..<end
    }

    private static let reasons = [
        "mapping values are not allowed in this context": "a value cannot begin here",
        "mapping keys are not allowed in this context": "a key cannot begin here",
        "block sequence entries are not allowed in this context": "a list item cannot begin here",
        "could not find expected ':'": "`:` is missing",
        "did not find expected key": "a key was expected here, aligned with the other keys",
        "did not find expected '-' indicator": "`- ` was expected here, aligned with the list",
        "did not find expected ',' or ']'": "`,` or `]` was expected here",
        "did not find expected ',' or '}'": "`,` or `}` was expected here",
        "did not find expected node content": "a value was expected here",
        "did not find expected <document start>": "`---` was expected here",
        "did not find expected comment or line break": "a comment or a new line was expected here",
        "did not find expected hexdecimal number": "hexadecimal digits were expected here",
        "found unexpected end of stream": "the text ends too early",
        "found unexpected document indicator": "the document ends too early",
        noBeginning: "a value cannot start with this character",
        tab: "a tab cannot indent; use spaces",
        "found a tab character where an indentation space is expected":
            "a tab cannot indent; use spaces",
        "found an indentation indicator equal to 0": "the indentation cannot be 0",
        "found unknown escape character": "this escape sequence is unknown",
        "found invalid Unicode character escape code": "this character does not exist",
        "found unexpected ':'": "`:` is not allowed here",
        "found undefined tag handle": "this tag has no declaration",
        "found incompatible YAML document": "this document requires another YAML version",
        "found duplicate %YAML directive": "the YAML version is declared twice",
        "found duplicate %TAG directive": "this tag is declared twice",
        "found unknown directive name": "this directive is unknown",
        "out of memory": "there is not enough memory to read it",
    ]

    private static let helps = [
        "mapping values are not allowed in this context":
            "text that contains `: ` needs quotes",
        tab: "replace the tabs at the start of the line with spaces",
        noBeginning:
            "text that begins with `@`, `` ` `` or `%` needs quotes",
        "found unknown escape character": "write `\\\\` for a backslash, or use single quotes",
    ]

    private static let contexts = [
        "while parsing a block mapping": "the mapping begins here",
        "while parsing a block collection": "the list begins here",
        "while parsing a block node": "the value begins here",
        "while parsing a flow mapping": "the mapping begins here",
        "while parsing a flow sequence": "the list begins here",
        "while parsing a flow node": "the value begins here",
        "while parsing a node": "the value begins here",
        "while scanning a quoted scalar": "the quoted text begins here",
        "while parsing a quoted scalar": "the quoted text begins here",
        "while scanning a block scalar": "the text begins here",
        "while scanning a plain scalar": "the text begins here",
        "while scanning a simple key": "the key begins here",
        "while scanning an anchor": "the anchor begins here",
        "while scanning an alias": "the alias begins here",
        "while scanning a tag": "the tag begins here",
        "while parsing a tag": "the tag begins here",
        "while scanning a directive": "the directive begins here",
    ]
}
