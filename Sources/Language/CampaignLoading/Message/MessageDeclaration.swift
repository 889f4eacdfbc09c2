package import Diagnostics
package import JSON
import YAMLSyntax

/// What stands under `message:`, as JSON, and where each field was written.
package struct MessageDeclaration: Sendable {
    package let fields: JSONObject
    private let node: SyntaxNode

    init(fields: JSONObject, node: SyntaxNode) {
        self.fields = fields
        self.node = node
    }

    /// Where columns of a list stand in it.
    var placeholders: [SourceSpan] { node.placeholders }

    /// Where the key at the end of a path was written, or the nearest thing around it.
    package func keySpan(at path: [String]) -> SourceSpan? {
        let place = node.place(at: path)
        return (place.isWhole ? place.key?.span : nil) ?? place.value.span
    }

    /// Where the value at a path was written, or the nearest thing around it.
    package func span(at path: [String]) -> SourceSpan? { node.place(at: path).value.span }
}

extension SyntaxNode {
    /// What stands at the end of a path of keys and places in lists, as far as it goes.
    fileprivate func place(
        at path: [String]
    ) -> (value: SyntaxNode, key: SyntaxNode?, isWhole: Bool) {
        var value = self
        var key: SyntaxNode?
        for name in path {
            if let entry = value.entries?.first(where: { $0.key.scalar?.text == name }) {
                (value, key) = (entry.value, entry.key)
            } else if let elements = value.elements, let number = Int(name),
                elements.indices.contains(number)
            {
                (value, key) = (elements[number], nil)
            } else {
                return (value, key, false)
            }
        }
        return (value, key, true)
    }
}

extension ValueReader where Value == MessageDeclaration {
    /// A message as it is sent, defaults merged in.
    static let message = messageReader(schema, isWhole: true)
    /// What is written as a part of one, and already merged over the rest.
    static let messageOverRest = messageReader(.part(schema), isWhole: true)
    /// What is merged into messages: nothing is missing from it.
    static let messagePart = messageReader(.part(schema), isWhole: false)

    private static let schema = MessageShape.message.schema

    private static func messageReader(_ schema: ValueSchema, isWhole: Bool) -> ValueReader {
        ValueReader(schema) { node, log in
            var reader = MessageReader(isWhole: isWhole)
            let value = reader.read(node, as: .message)
            log.absorb(reader.log)
            return value?.objectValue.map { MessageDeclaration(fields: $0, node: node) }
        }
    }
}
