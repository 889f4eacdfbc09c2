import CampaignModel
package import Diagnostics
package import JSON
import YAMLSyntax

/// The content of `message:` as JSON, with the place of each field.
package struct MessageDeclaration: Sendable {
    package let fields: JSONObject
    private let node: SyntaxNode

    init(fields: JSONObject, node: SyntaxNode) {
        self.fields = fields
        self.node = node
    }

    /// The faults of the texts that contain `{{` and are not valid templates.
    var templateFaults: [(fault: TextTemplate.Fault, span: SourceSpan)] { node.templateFaults }

    /// Returns the span of the key at the end of a path, or of the nearest enclosing value.
    package func keySpan(at path: [String]) -> SourceSpan? {
        let place = node.place(at: path)
        return (place.isWhole ? place.key?.span : nil) ?? place.value.span
    }

    /// Returns the span of the value at a path, or of the nearest enclosing value.
    package func span(at path: [String]) -> SourceSpan? { node.place(at: path).value.span }
}

extension SyntaxNode {
    /// Returns the node at the end of a path of keys and list indices, as far as it exists.
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
    /// A complete message, with defaults merged.
    static let message = messageReader(schema, isWhole: true)
    /// A partial message that is already merged over the rest.
    static let messageOverRest = messageReader(.part(schema), isWhole: true)
    /// A partial message that is merged into others, so missing keys are not reported.
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
