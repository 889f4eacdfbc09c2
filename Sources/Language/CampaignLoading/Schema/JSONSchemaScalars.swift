import JSON

// Herald reads a scalar by its text, a YAML parser by its form. These schemas accept the values
// that a YAML 1.2 parser creates from scalars that Herald accepts, quoted or not.

extension TextForm {
    func jsonSchema(withVariables: Bool) -> JSONObject {
        var result = lookalikes.jsonSchema
        if let pattern { result["pattern"] = .anchored(pattern, withVariables: withVariables) }
        // The value of a variable is not known.
        if let maximumLength, !withVariables {
            result["maxLength"] = .integer(Int64(maximumLength))
        }
        return result
    }

    /// The schema of a key, which is always text.
    var keySchema: JSONObject {
        var result = JSONObject()
        if let pattern { result["pattern"] = .anchored(pattern) }
        if let maximumLength { result["maxLength"] = .integer(Int64(maximumLength)) }
        return result
    }
}

extension TextForm.Lookalikes {
    fileprivate var jsonSchema: JSONObject {
        switch self {
        case .everything: return ["type": ["string", "number", "boolean"]]
        case .unsigned: return ["type": ["string", "number", "boolean"], "minimum": 0]
        case .whole: return ["type": ["string", "integer", "boolean"]]
        case .none: return ["type": "string"]
        case .integers(let range):
            var result: JSONObject = ["type": ["string", "integer"]]
            result["minimum"] = .integer(range.lowerBound)
            if range.upperBound != .max { result["maximum"] = .integer(range.upperBound) }
            return result
        }
    }
}

extension JSONSchemaWriter {
    static func flag(withVariables: Bool) -> JSONObject {
        [
            "type": ["boolean", "string"],
            "pattern": .anchored("true|false", withVariables: withVariables),
        ]
    }

    /// The values, including the non-text values that YAML reads from some of them.
    static func choice(_ values: [String], withVariables: Bool) -> JSONObject {
        let lookalikes = values.map { text -> JSONValue? in
            if let number = Int64(text), String(number) == text { return .integer(number) }
            return ["true": true, "false": false][text]
        }
        var choice: JSONObject = [
            "enum": .array(values.map(JSONValue.string) + lookalikes.compactMap(\.self))
        ]
        if let texts = ChoiceTexts.texts(of: values) {
            let others = zip(texts, lookalikes).compactMap { $1 == nil ? nil : $0 }
            choice["enumDescriptions"] = .array((texts + others).map(JSONValue.string))
        }
        guard withVariables else { return choice }
        let variable: JSONObject = [
            "type": "string", "pattern": .anchored(VariablePattern.text),
        ]
        return ["anyOf": [.object(choice), .object(variable)]]
    }
}

extension ClosedRange<Int64> {
    func jsonSchema(withVariables: Bool) -> JSONObject {
        let digits =
            lowerBound < 0
            ? "\\+?0*(\(DigitPattern.numbers(in: 0...upperBound)))"
                + "|-0*(\(DigitPattern.numbers(in: 0...(-lowerBound))))"
            : "\\+?0*(\(DigitPattern.numbers(in: self)))"
        return [
            "type": ["integer", "string"],
            "minimum": .integer(lowerBound),
            "maximum": .integer(upperBound),
            "pattern": .anchored(digits, withVariables: withVariables),
        ]
    }
}

extension ClosedRange<Double> {
    func jsonSchema(withVariables: Bool) -> JSONObject {
        let pattern = "[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?"
        return [
            "type": ["number", "string"],
            "minimum": .number(lowerBound),
            "maximum": .number(upperBound),
            "pattern": .anchored(pattern, withVariables: withVariables),
        ]
    }
}

extension JSONValue {
    /// Returns a pattern for a whole text.
    fileprivate static func anchored(_ pattern: String, withVariables: Bool = false) -> JSONValue {
        .string(withVariables ? "^(?:\(pattern)|\(VariablePattern.text))$" : "^(?:\(pattern))$")
    }
}

/// Text with at least one `${NAME}`; `$${` is a literal `${`.
private enum VariablePattern {
    static let text = "(?:\(rest))*\(variable)(?:\(rest)|\(variable))*"
    private static let rest = "[^$]|\\$(?!\\$?\\{)|\\$\\$\\{"
    private static let variable = "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}"
}
