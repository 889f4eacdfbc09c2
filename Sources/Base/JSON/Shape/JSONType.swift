/// A type of JSON value: how a value is written, and its JSON Schema (draft-07).
package struct JSONType<Value>: Sendable {
    package let schema: JSONObject
    let write: @Sendable (Value) -> JSONValue

    package init(schema: JSONObject, write: @escaping @Sendable (Value) -> JSONValue) {
        self.schema = schema
        self.write = write
    }

    package func json(of value: Value) -> JSONValue { write(value) }

    /// Returns the type of values that are written as a part of themselves.
    package func reading<Whole>(
        _ part: @escaping @Sendable (Whole) -> Value
    ) -> JSONType<Whole> {
        JSONType<Whole>(schema: schema) { write(part($0)) }
    }
}

// MARK: - Texts and numbers

extension JSONType where Value == String {
    package static let text = JSONType(schema: ["type": "string"]) { .string($0) }

    /// A text that matches a regular expression.
    package static func text(pattern: String) -> JSONType {
        JSONType(schema: ["type": "string", "pattern": .string(pattern)]) { .string($0) }
    }
}

extension JSONType where Value == Bool {
    package static let flag = JSONType(schema: ["type": "boolean"]) { .bool($0) }
}

extension JSONType where Value == Double {
    package static let number = JSONType(schema: ["type": "number"]) { .number($0) }
}

extension JSONType where Value: BinaryInteger & SendableMetatype {
    package static var integer: JSONType {
        JSONType(schema: ["type": "integer"]) { .integer(Int64($0)) }
    }

    /// An integer that is at least 0.
    package static var count: JSONType {
        JSONType(schema: ["type": "integer", "minimum": 0]) { .integer(Int64($0)) }
    }
}

// MARK: - Choices

extension JSONType
where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
    /// One of the cases of an enum.
    package static var choice: JSONType {
        JSONType(schema: ["enum": names]) { .string($0.rawValue) }
    }

    /// One of the cases of an enum, to which later minor versions of a format may add some.
    package static var openChoice: JSONType {
        JSONType(schema: ["anyOf": [["enum": names], ["type": "string"]]]) {
            .string($0.rawValue)
        }
    }

    private static var names: JSONValue { .array(Value.allCases.map { .string($0.rawValue) }) }
}

// MARK: - Composed types

extension JSONType {
    package static func nullable<Part>(_ type: JSONType<Part>) -> JSONType where Value == Part? {
        JSONType(schema: type.schema.allowingNull) { $0.map(type.write) ?? .null }
    }

    package static func list<Element>(of type: JSONType<Element>) -> JSONType
    where Value == [Element] {
        JSONType(schema: arraySchema(of: type)) { .array($0.map(type.write)) }
    }

    /// An array whose elements are computed while they are written.
    package static func list<Element>(of type: JSONType<Element>) -> JSONType
    where Value == ComputedElements<Element> {
        JSONType(schema: arraySchema(of: type)) { elements in
            var values: [JSONValue] = []
            elements.visit { values.append(type.write($0)) }
            return .array(values)
        }
    }

    /// An object with any names, in the given order.
    package static func dictionary<Part>(of type: JSONType<Part>) -> JSONType
    where Value == [(name: String, value: Part)] {
        let schema: JSONObject = [
            "type": "object", "additionalProperties": .object(type.schema),
        ]
        return JSONType(schema: schema) { parts in
            let members = parts.map {
                JSONObject.Member(key: $0.name, value: type.write($0.value))
            }
            return .object(JSONObject(members))
        }
    }

    package static func object(_ shape: JSONShape<Value>) -> JSONType {
        JSONType(schema: shape.schema) { .object(shape.json(of: $0)) }
    }

    /// An object that another part of the schema file describes.
    package static func reference(to definition: JSONDefinition<Value>) -> JSONType {
        JSONType(schema: definition.reference) { .object(definition.shape.json(of: $0)) }
    }

    private static func arraySchema<Element>(of type: JSONType<Element>) -> JSONObject {
        ["type": "array", "items": .object(type.schema)]
    }
}

extension JSONType where Value == JSONValue {
    /// Any value, which comes from another format.
    package static let anything = JSONType(schema: [:]) { $0 }

    /// An object that comes from another format.
    package static let anyObject = JSONType(schema: ["type": "object"]) { $0 }

    /// An object that was written with this shape before.
    package static func written<Content>(by shape: JSONShape<Content>) -> JSONType {
        JSONType(schema: shape.schema) { $0 }
    }
}

/// The elements of an array that are computed one by one.
///
/// Only their JSON is collected, not the elements.
package struct ComputedElements<Element> {
    let visit: ((Element) -> Void) -> Void

    package init(visit: @escaping ((Element) -> Void) -> Void) {
        self.visit = visit
    }
}

extension JSONObject {
    /// The schema that also allows null.
    fileprivate var allowingNull: JSONObject {
        var schema = self
        if let names = self["enum"]?.arrayValue {
            schema["enum"] = .array(names + [.null])
        } else if let type = self["type"]?.stringValue {
            schema["type"] = [.string(type), "null"]
        } else {
            return ["anyOf": [.object(self), ["type": "null"]]]
        }
        return schema
    }
}
