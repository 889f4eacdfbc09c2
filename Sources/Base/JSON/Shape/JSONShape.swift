/// Declares the members of a JSON object, in the order in which they are written.
///
/// The JSON of a value and the JSON Schema (draft-07) both come from this declaration. The schema
/// allows additional members, because later minor versions of a format may have some.
package struct JSONShape<Value>: Sendable {
    package let about: String
    package let members: [JSONMember<Value>]
    private let seal: JSONMember<JSONObject>?

    /// `seal`: a last member that is read from the JSON of all other members.
    package init(
        _ about: String,
        _ members: [JSONMember<Value>],
        sealedBy seal: JSONMember<JSONObject>? = nil
    ) {
        let names = members.map(\.name) + [seal].compactMap(\.?.name)
        precondition(Set(names).count == names.count, "two members have the same name")
        self.about = about
        self.members = members
        self.seal = seal
    }

    package func json(of value: Value) -> JSONObject {
        var object = JSONObject()
        object.reserveCapacity(members.count + 1)
        for member in members {
            if let part = member.json(of: value) { object.append(member.name, value: part) }
        }
        if let seal, let part = seal.json(of: object) { object.append(seal.name, value: part) }
        return object
    }

    package var schema: JSONObject {
        let declared = members.map(\.declaration) + [seal].compactMap(\.?.declaration)
        let required = declared.filter { $0.presence == .always }
        var schema: JSONObject = [
            "type": "object",
            "description": .string(about),
            "required": .names(of: required),
            "properties": .object(
                JSONObject(declared.map { .init(key: $0.name, value: .object($0.schema)) })
            ),
        ]
        let rules = Self.conditionalRules(declared)
        if !rules.isEmpty { schema["allOf"] = .array(rules) }
        return schema
    }

    /// Returns one rule per value of each member that others depend on.
    private static func conditionalRules(_ declared: [JSONMemberDeclaration]) -> [JSONValue] {
        declared.flatMap { member -> [JSONValue] in
            let dependent = declared.filter { $0.condition?.member == member.name }
            return (dependent.first?.condition?.cases ?? []).map { value in
                let required = dependent.filter { $0.condition?.values.contains(value) ?? false }
                return [
                    "if": ["properties": .object([member.name: ["const": .string(value)]])],
                    "then": ["required": .names(of: required)],
                ]
            }
        }
    }
}

/// An object that a schema file describes once and refers to by name.
package struct JSONDefinition<Value>: Sendable {
    package let name: String
    package let shape: JSONShape<Value>

    package init(_ name: String, of shape: JSONShape<Value>) {
        self.name = name
        self.shape = shape
    }

    /// The schema that refers to the definition.
    package var reference: JSONObject { ["$ref": .string("#/definitions/\(name)")] }

    /// The member of the schema file's `definitions`.
    package var entry: JSONObject.Member {
        JSONObject.Member(key: name, value: .object(shape.schema))
    }
}

extension JSONValue {
    fileprivate static func names(of members: [JSONMemberDeclaration]) -> JSONValue {
        .array(members.map { .string($0.name) })
    }
}
