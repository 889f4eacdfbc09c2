import DeliveryModel
import JSON

/// A JSON Schema and the named schemas to which it refers.
package struct OpenAPISchema: Sendable {
    let json: JSONValue
    private(set) var components: [String: JSONValue] = [:]

    private init(_ json: JSONValue) {
        self.json = json
    }

    private init(_ json: JSONValue, parts: [OpenAPISchema]) {
        self.json = json
        for part in parts { components.merge(part.components) { first, _ in first } }
    }

    package static let text = OpenAPISchema(["type": "string"])
    package static let instant = OpenAPISchema(["type": "string", "format": "date-time"])
    package static let flag = OpenAPISchema(["type": "boolean"])
    package static let count = integer(from: 0)
    static let projectID = OpenAPISchema([
        "type": "string", "maxLength": 100, "pattern": "^[A-Za-z0-9:._-]*$",
    ])
    static let int32 = OpenAPISchema(["type": "integer", "format": "int32"])
    package static let duration = OpenAPISchema([
        "type": "string", "pattern": #"^-?[0-9]{1,12}(\.[0-9]{1,9})?s$"#,
    ])
    static let number = OpenAPISchema(["type": "number"])
    /// Any value.
    static let anything = OpenAPISchema(true)
    /// Any object.
    static let object = OpenAPISchema(["type": "object"])
    /// An object without members.
    static let empty = OpenAPISchema(["type": "object", "maxProperties": 0])
    /// A map of strings to strings.
    static let map = OpenAPISchema(["type": "object", "additionalProperties": ["type": "string"]])

    static let objectOrNull = OpenAPISchema(["type": ["object", "null"]])

    static func integer(_ range: ClosedRange<Int64>) -> OpenAPISchema {
        OpenAPISchema([
            "type": "integer", "minimum": .integer(range.lowerBound),
            "maximum": .integer(range.upperBound),
        ])
    }

    static func integer(from least: Int64) -> OpenAPISchema {
        OpenAPISchema(["type": "integer", "minimum": .integer(least)])
    }

    package static func names(_ names: [String]) -> OpenAPISchema {
        OpenAPISchema(["type": "string", "enum": .array(names.map { .string($0) })])
    }

    package static func list(_ element: OpenAPISchema) -> OpenAPISchema {
        OpenAPISchema(["type": "array", "items": element.json], parts: [element])
    }

    package static func any(of schemas: OpenAPISchema...) -> OpenAPISchema {
        OpenAPISchema(["anyOf": .array(schemas.map(\.json))], parts: schemas)
    }

    /// Returns a named schema of an object with exactly these members.
    package static func record(
        _ name: String,
        members: Members,
        optional: Members = [:]
    ) -> OpenAPISchema {
        let all = members + optional
        var json: JSONObject = ["type": "object"]
        json["required"] =
            members.list.isEmpty ? nil : .array(members.list.map { .string($0.key) })
        json["properties"] = .object(
            JSONObject(all.list.map { JSONObject.Member(key: $0.key, value: $0.value.json) })
        )
        json["additionalProperties"] = false
        return named(name, json: .object(json), parts: all.list.map(\.value))
    }

    /// The members of a record, in order.
    package struct Members: Sendable, ExpressibleByDictionaryLiteral {
        let list: [(key: String, value: OpenAPISchema)]

        package init(dictionaryLiteral elements: (String, OpenAPISchema)...) {
            list = elements.map { (key: $0.0, value: $0.1) }
        }

        private init(_ list: [(key: String, value: OpenAPISchema)]) {
            self.list = list
        }

        package static func + (left: Members, right: Members) -> Members {
            Members(left.list + right.list)
        }
    }

    private static func named(
        _ name: String,
        json: JSONValue,
        parts: [OpenAPISchema]
    ) -> OpenAPISchema {
        var schema = OpenAPISchema(["$ref": .string("#/components/schemas/\(name)")], parts: parts)
        schema.components[name] = json
        return schema
    }

    /// Returns the schema of a request object, with both spellings of its members' names.
    static func shape(_ shape: MessageShape) -> OpenAPISchema {
        let fields = shape.fields.sorted { $0.key < $1.key }
            .map { (key: $0.key, schema: $0.kind.schema) }
        let properties = fields.map { JSONObject.Member(key: $0.key, value: $0.schema.json) }
        return named(
            shape.typeName,
            json: [
                "type": "object", "properties": .object(JSONObject(properties)),
                "additionalProperties": false,
            ],
            parts: fields.map(\.schema)
        )
    }
}

extension FieldKind {
    fileprivate var schema: OpenAPISchema {
        switch self {
        case .string: .text
        case .bool: .flag
        case .int32: .int32
        case .number: .number
        case .duration: .duration
        case .timestamp: .instant
        case .list(let element): .list(element.schema)
        case .map: .map
        case .freeObject: .object
        case .enumeration(_, let names):
            // Accepted in any case.
            .names(names.sorted() + names.map { $0.lowercased() }.sorted())
        case .numbered(_, let names):
            .any(
                of: .names(names.sorted() + names.map { $0.lowercased() }.sorted()),
                .integer(0...Int64(names.count - 1))
            )
        case .object(let shape): .shape(shape)
        }
    }
}
