import JSON

extension JSONSchemaWriter {
    /// Returns the required keys of a mapping and the keys that exclude each other.
    static func completeness(of mapping: MappingSchema, in scope: Scope) -> JSONObject {
        var result = JSONObject()
        let needed = mapping.fields.filter(\.isRequired)
        let required = needed.filter { $0.supplier == nil }.map { JSONValue.string($0.name) }
        if !required.isEmpty { result["required"] = .array(required) }
        var parts = groups(of: mapping, in: scope)
        for field in needed {
            guard let supplier = field.supplier else { continue }
            let either = [field.name, supplier].map { presence(of: $0, in: scope) }
            parts.append(["anyOf": .array(either.map(JSONValue.object))])
        }
        for exclusion in mapping.exclusions {
            let others = exclusion.others.map { JSONValue.object(presence(of: $0, in: scope)) }
            parts.append([
                "if": .object(presence(of: exclusion.key, in: scope)),
                "then": ["not": ["anyOf": .array(others)]],
            ])
        }
        var dependencies = JSONObject()
        for need in mapping.needs {
            let others = Self.others(of: need, in: scope)
            if need.value == nil, !scope.takesNull, dependencies[need.key] == nil {
                dependencies[need.key] = .object(others)
            } else {
                let condition = Self.condition(of: need, in: scope)
                parts.append(["if": .object(condition), "then": .object(others)])
            }
        }
        if !dependencies.isEmpty { result["dependencies"] = .object(dependencies) }
        if !parts.isEmpty { result["allOf"] = .array(parts) }
        return result
    }

    /// Returns groups of keys of which exactly one, or at most one, has a value.
    private static func groups(of mapping: MappingSchema, in scope: Scope) -> [JSONValue] {
        let exactlyOne = mapping.oneOf.map { group -> JSONValue in
            ["oneOf": .array(group.map { .object(presence(of: $0, in: scope)) })]
        }
        let atMostOne = mapping.atMostOneOf.map { group -> JSONValue in
            let given = group.map { JSONValue.object(presence(of: $0, in: scope)) }
            return ["oneOf": .array(given + [["not": ["anyOf": .array(given)]]])]
        }
        let groups = exactlyOne + atMostOne
        // A null that removes the whole mapping lacks no key.
        guard scope.takesNull else { return groups }
        return groups.map { group -> JSONValue in ["if": ["type": "object"], "then": group] }
    }

    /// A null that removes a default counts as absent.
    private static func presence(of key: String, in scope: Scope) -> JSONObject {
        var result: JSONObject = ["required": [.string(key)]]
        if scope.takesNull { result["properties"] = [key: ["not": ["type": "null"]]] }
        return result
    }

    /// Returns the condition under which a need applies.
    private static func condition(of need: MappingSchema.Need, in scope: Scope) -> JSONObject {
        var result = presence(of: need.key, in: scope)
        if let value = need.value {
            result["properties"] = [need.key: .object(choice([value], withVariables: false))]
        }
        return result
    }

    /// Returns the keys that a need requires.
    private static func others(of need: MappingSchema.Need, in scope: Scope) -> JSONObject {
        let others = need.oneOf.map { presence(of: $0, in: scope) }
        return others.count == 1 ? others[0] : ["anyOf": .array(others.map(JSONValue.object))]
    }
}
