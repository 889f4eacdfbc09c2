package import JSON

/// A JSON Schema (draft-07) that describes output of Herald, with its file in `schemas/`.
package struct PublishedSchema: Sendable {
    package let content: JSONObject
    /// The name without an extension.
    private let name: String

    /// - Parameters:
    ///   - name: The name of the file, and the end of the schema's URN.
    ///   - title: The title in editors.
    ///   - root: The schema of a whole output.
    ///   - definitions: The parts that the schema refers to.
    init(
        name: String,
        title: String,
        root: JSONObject,
        definitions: [JSONObject.Member] = []
    ) {
        let head: JSONObject = [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": .string("urn:herald:schema:\(name)"),
            "title": .string(title),
        ]
        var content = head.followed(by: root)
        if !definitions.isEmpty { content["definitions"] = .object(JSONObject(definitions)) }
        self.content = content
        self.name = name
    }

    package var fileName: String { "\(name).schema.json" }

    /// The text of the file.
    package var text: String { JSONValue.object(content).prettyText + "\n" }
}

extension JSONObject {
    /// A schema of values that have exactly one of these definitions.
    static func oneOf(_ definitions: [JSONObject.Member], about: String) -> JSONObject {
        let references = definitions.map { definition -> JSONValue in
            ["$ref": .string("#/definitions/\(definition.key)")]
        }
        return ["description": .string(about), "oneOf": .array(references)]
    }
}
