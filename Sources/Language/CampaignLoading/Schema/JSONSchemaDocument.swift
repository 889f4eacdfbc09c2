package import JSON

/// A JSON Schema (draft-07) of project files for editors.
///
/// It is generated from the declarations that the loader uses. Checks that depend on another file,
/// the system or the spelling of a number are left to `herald validate`.
package enum JSONSchemaDocument: String, CaseIterable, Sendable {
    /// For herald.yaml.
    case project
    /// For each document below campaigns/.
    case campaign
    /// For the file of `herald simulate --population`.
    case population

    /// The file name in a project's directory of schemas.
    package var fileName: String { "\(rawValue).schema.json" }

    /// The whole text of the file.
    package var text: String { JSONValue.object(root).prettyText + "\n" }

    package var root: JSONObject {
        var writer = JSONSchemaWriter(mergesMessages: self == .campaign)
        let content =
            switch self {
            case .project: writer.projectContent()
            case .campaign: writer.campaignContent()
            case .population: writer.populationContent()
            }
        let head: JSONObject = [
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$id": "urn:herald:schema:\(rawValue)",
            "title": .string(title),
            "description": .string(about),
        ]
        let definitions: JSONObject = ["definitions": .object(writer.definitions)]
        return head.with(content).with(definitions)
    }

    private var title: String {
        switch self {
        case .project: "Herald project"
        case .campaign: "Herald campaign, audience or devices"
        case .population: "Herald population"
        }
    }

    private var about: String {
        switch self {
        case .project:
            "herald.yaml, the project file. Values below `environments` may use environment "
                + "variables, `${NAME}`."
        case .campaign:
            "A document below campaigns/. Its first key declares its kind. Null removes a default "
                + "of herald.yaml, or a value of the message that the campaign extends. A campaign "
                + "that takes its whole message from the defaults writes `message: {}`. If a key "
                + "of its message requires another key, the campaign writes that key, too."
        case .population:
            "The population that `herald simulate --population FILE` uses. Shares of `platforms` "
                + "and of `online` add up to 100% each."
        }
    }
}

extension JSONSchemaWriter {
    fileprivate mutating func projectContent() -> JSONObject {
        ["allOf": [.object(reference(to: ProjectDeclaration.reader.schema, in: .plain))]]
    }

    fileprivate mutating func populationContent() -> JSONObject {
        ["allOf": [.object(reference(to: PopulationDeclaration.reader.schema, in: .plain))]]
    }

    /// Writes one `if` per kind, so that errors refer to the intended kind.
    ///
    /// A kind comes before those whose keys it also has: a campaign has an `audience`, and a rule for
    /// messages of devices may have a `campaign`.
    fileprivate mutating func campaignContent() -> JSONObject {
        var kinds: [(DocumentKind, JSONObject)] = []
        for kind in DocumentKind.allCases {
            kinds.append((kind, reference(to: kind.schema, in: .plain)))
        }
        kinds = kinds.filter { $0.0 == .upstream } + kinds.filter { $0.0 != .upstream }
        var chain = unknownDocument
        for (kind, schema) in kinds.reversed() {
            chain = [
                "if": ["type": "object", "required": [.string(kind.rawValue)]],
                "then": .object(schema),
                "else": .object(chain),
            ]
        }
        return chain
    }

    /// The schema for documents of unknown kind; a file with only comments is not a document.
    private var unknownDocument: JSONObject {
        let keys = DocumentKind.allCases.map { kind in
            let field = kind.schema.fields.first { $0.name == kind.rawValue }
            let property: JSONObject = ["description": .string(field?.about ?? "")]
            return JSONObject.Member(key: kind.rawValue, value: .object(property))
        }
        let required = DocumentKind.allCases.map { kind -> JSONValue in
            ["required": [.string(kind.rawValue)]]
        }
        return [
            "type": ["object", "null"],
            "properties": .object(JSONObject(keys)),
            "if": ["type": "object"],
            "then": ["anyOf": .array(required)],
        ]
    }
}

extension DocumentKind {
    var schema: MappingSchema {
        switch self {
        case .campaign: CampaignDeclaration.reader.schema
        case .audience: AudienceDeclaration.reader.schema
        case .devices: DevicesDeclaration.reader.schema
        case .removed: RemovedDeclaration.reader.schema
        case .messages: MessagesDeclaration.reader.schema
        case .upstream: UpstreamDeclaration.reader.schema
        }
    }
}
