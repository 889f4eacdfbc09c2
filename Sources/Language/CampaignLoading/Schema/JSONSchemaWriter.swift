import JSON

/// Writes schemas of values as JSON Schema (draft-07), and collects the mappings as definitions.
struct JSONSchemaWriter {
    /// A property of a place and all places below it.
    enum Scope: Hashable {
        case plain
        /// The same, also for messages where others are merged.
        case whole
        /// Scalars may contain `${NAME}`.
        case variables
        /// Merged over other values: a null removes them.
        case merged
        /// Merged under other values, which supply missing keys.
        case part
        /// Both: a null removes values, and other values supply missing keys.
        case patch
    }

    /// One definition per mapping, named after its subject.
    private(set) var definitions = JSONObject()
    private let mergesMessages: Bool

    /// `mergesMessages`: Whether messages are merged over others everywhere.
    init(mergesMessages: Bool) {
        self.mergesMessages = mergesMessages
    }

    mutating func schema(of value: ValueSchema, in scope: Scope) -> JSONObject {
        switch value {
        case .text(let form): form.jsonSchema(withVariables: scope == .variables)
        case .choice(let values): Self.choice(values, withVariables: scope == .variables)
        case .flag: Self.flag(withVariables: scope == .variables)
        case .integer(let range): range.jsonSchema(withVariables: scope == .variables)
        case .number(let range): range.jsonSchema(withVariables: scope == .variables)
        case .list(let element, let minimum): list(of: element, atLeast: minimum, in: scope)
        case .named(let name, let content): named(by: name, of: content, in: scope)
        case .mapping(let mapping): reference(to: mapping, in: scope)
        case .either(let values):
            ["anyOf": .array(values.map { .object(schema(of: $0, in: scope)) })]
        case .part(let content):
            schema(of: content, in: mergesMessages || scope == .patch ? .patch : .part)
        case .anything: [:]
        }
    }

    /// Returns a reference to a mapping's definition, which is written if it is missing.
    mutating func reference(to mapping: MappingSchema, in scope: Scope) -> JSONObject {
        let isMessage = mapping.subject == MessageFields.message.subject
        let scope = mergesMessages && isMessage && scope == .plain ? .merged : scope
        let name = mapping.definitionName + scope.suffix
        if definitions[name] == nil {
            // Reserves the place of the first use, before the definitions that it refers to.
            definitions[name] = [:]
            definitions[name] = .object(definition(of: mapping, in: scope))
        }
        return ["$ref": .string("#/definitions/\(name)")]
    }
}

// MARK: - Mappings

extension JSONSchemaWriter {
    private mutating func definition(of mapping: MappingSchema, in scope: Scope) -> JSONObject {
        var result: JSONObject = [
            "title": .string(mapping.title),
            "type": scope.takesNull ? ["object", "null"] : "object",
        ]
        var properties = JSONObject()
        for field in mapping.fields {
            properties[field.name] = .object(property(field, of: mapping, in: scope))
        }
        result["properties"] = .object(properties)
        if case .refused = mapping.others {
            result["patternProperties"] = ["^x-": [:]]
            result["additionalProperties"] = false
        }
        return scope.isPart ? result : result.with(Self.completeness(of: mapping, in: scope))
    }

    private mutating func property(
        _ field: MappingSchema.Field,
        of mapping: MappingSchema,
        in scope: Scope
    ) -> JSONObject {
        var result: JSONObject = ["title": .string("\(mapping.title): \(field.name.words)")]
        if !field.about.isEmpty { result["description"] = .string(field.about) }
        if !field.examples.isEmpty { result["examples"] = .array(field.examples) }
        result["default"] = field.statedDefault
        // A keyword of editors; validators ignore it.
        if field.isNotBuilt { result["doNotSuggest"] = true }
        let scope = field.scope(of: mapping, in: scope)
        var content = schema(of: field.schema, in: scope)
        let isNeeded = field.isRequired && !scope.isPart
        // An environment's null does not remove the whole defaults.
        let isOfEnvironment = mapping.subject == EnvironmentDeclaration.reader.subject
        let takesNull = scope.takesNull && !isNeeded && !isOfEnvironment
        content = takesNull ? content.orNull : content.notNull
        // In draft-07, keys next to a `$ref` are ignored.
        if content["$ref"] != nil { content = ["allOf": [.object(content)]] }
        return result.with(content)
    }
}

extension MappingSchema {
    /// The subject as a name; `an audience` and `audience` are different names.
    fileprivate var definitionName: String {
        subject.filter { $0 != "`" }.split(separator: " ").joined(separator: "-")
    }

    fileprivate var title: String {
        let words = subject.filter { $0 != "`" }.split(separator: " ")
        let article = words.count > 1 && ["a", "an", "the"].contains(words[0])
        return words.dropFirst(article ? 1 : 0).joined(separator: " ").words
            .capitalizedSentence
    }
}

extension MappingSchema.Field {
    /// Returns the scope of this field, given the scope of its mapping.
    fileprivate func scope(
        of mapping: MappingSchema,
        in scope: JSONSchemaWriter.Scope
    ) -> JSONSchemaWriter.Scope {
        switch (mapping.subject, name) {
        case (ProjectDeclaration.reader.subject, "environments"): .variables
        case (EnvironmentDeclaration.reader.subject, "defaults"): .patch
        case (EnvironmentDeclaration.reader.subject, "only"),
            (EnvironmentDeclaration.reader.subject, "except"):
            .plain
        case (UpstreamDeclaration.reader.subject, "reply"): .whole
        // A removed message has no replacement.
        case (CampaignDeclaration.reader.subject, "message"): scope
        case (CampaignDeclaration.reader.subject, _)
        where DefaultsDeclaration.reader.keys.contains(name): .merged
        default: scope
        }
    }
}

extension JSONSchemaWriter.Scope {
    fileprivate var suffix: String {
        switch self {
        case .plain, .whole: ""
        case .variables: "-with-variables"
        case .merged: "-merged"
        case .part: "-part"
        case .patch: "-patch"
        }
    }

    var takesNull: Bool { self == .merged || self == .patch }
    fileprivate var isPart: Bool { self == .part || self == .patch }
}

// MARK: - Collections

extension JSONSchemaWriter {
    /// Lists are not merged: a null in a list removes nothing.
    private mutating func list(
        of element: ValueSchema,
        atLeast minimum: Int,
        in scope: Scope
    ) -> JSONObject {
        let items = schema(of: element, in: scope == .variables ? scope : .plain)
        var result: JSONObject = ["type": "array", "items": .object(items)]
        if minimum > 0 { result["minItems"] = .integer(Int64(minimum)) }
        return result
    }

    private mutating func named(
        by name: TextForm,
        of content: ValueSchema,
        in scope: Scope
    ) -> JSONObject {
        var result: JSONObject = ["type": "object"]
        let names = name.keySchema
        if !names.isEmpty { result["propertyNames"] = .object(names) }
        let value = schema(of: content, in: scope)
        result["additionalProperties"] = .object(scope.takesNull ? value.orNull : value.notNull)
        return result
    }
}

extension String {
    /// A key as text: `during_quiet_hours` becomes "during quiet hours".
    fileprivate var words: String {
        split { $0 == "_" || $0 == "-" }.joined(separator: " ")
    }

    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() }
}

extension JSONObject {
    func with(_ other: JSONObject) -> JSONObject {
        JSONObject(members + other.members)
    }

    /// The same schema, or null.
    ///
    /// Null is never a separate alternative: validators would report only that a faulty value is
    /// not null.
    fileprivate var orNull: JSONObject {
        var result = self
        if let values = self["enum"]?.arrayValue { result["enum"] = .array(values + [.null]) }
        if let texts = self["enumDescriptions"]?.arrayValue {
            result["enumDescriptions"] = .array(texts + ["Removes the default."])
        }
        switch self["type"] {
        case .array(let types)?: result["type"] = .array(types + ["null"])
        case let type?: result["type"] = [type, "null"]
        case nil:
            guard let values = self["anyOf"]?.arrayValue?.compactMap(\.objectValue),
                !values.contains(where: \.takesNull)
            else { break }
            let alternatives = values.prefix(1).map(\.orNull) + values.dropFirst()
            result["anyOf"] = .array(alternatives.map(JSONValue.object))
        }
        return result
    }

    /// The same schema without the null that a merged mapping accepts.
    fileprivate var notNull: JSONObject {
        takesNull ? ["allOf": [.object(self), ["type": "object"]]] : self
    }

    /// Whether it refers to a mapping that null removes.
    private var takesNull: Bool {
        guard let name = self["$ref"]?.stringValue else { return false }
        return [JSONSchemaWriter.Scope.merged, .patch].contains { name.hasSuffix($0.suffix) }
    }
}
