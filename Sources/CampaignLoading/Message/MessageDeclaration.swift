package import Diagnostics
package import FCMWire
import YAMLSyntax

/// What stands under `message:`, as JSON, and where each field was written.
package struct MessageDeclaration: Sendable {
    package let fields: JSONObject
    /// Where columns of a list stand in it.
    let placeholders: [SourceSpan]
    private let spans: [[String]: SourceSpan]
    private let keySpans: [[String]: SourceSpan]

    init(
        fields: JSONObject,
        placeholders: [SourceSpan],
        spans: [[String]: SourceSpan],
        keySpans: [[String]: SourceSpan]
    ) {
        self.fields = fields
        self.placeholders = placeholders
        self.spans = spans
        self.keySpans = keySpans
    }

    /// Where the key at the end of a path was written, or the nearest thing around it.
    package func keySpan(at path: [String]) -> SourceSpan? { keySpans[path] ?? span(at: path) }

    /// Where the value at a path was written, or the nearest thing around it.
    package func span(at path: [String]) -> SourceSpan? {
        var path = path
        while !path.isEmpty {
            if let span = spans[path] { return span }
            path.removeLast()
        }
        return spans[[]]
    }
}

extension ValueReader where Value == MessageDeclaration {
    /// A message as it is sent, defaults merged in.
    static let message = messageReader(schema, isWhole: true)
    /// What is written as a part of one, and already merged over the rest.
    static let messageOverRest = messageReader(.part(schema), isWhole: true)
    /// What is merged into messages: nothing is missing from it.
    static let messagePart = messageReader(.part(schema), isWhole: false)

    private static let schema = MessageShape.object(.message).schema

    private static func messageReader(_ schema: ValueSchema, isWhole: Bool) -> ValueReader {
        ValueReader(schema) { node, log in
            var reader = MessageReader(isWhole: isWhole)
            let value = reader.read(node, as: .object(.message), at: [])
            log.absorb(reader.log)
            guard let fields = value?.objectValue else { return nil }
            return MessageDeclaration(
                fields: fields,
                placeholders: node.placeholders,
                spans: reader.spans,
                keySpans: reader.keySpans
            )
        }
    }
}
