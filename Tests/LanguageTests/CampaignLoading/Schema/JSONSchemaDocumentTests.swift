import JSON
import Testing

@testable import CampaignLoading

struct JSONSchemaDocumentTests {
    @Test(arguments: JSONSchemaDocument.allCases)
    func `every reference has a definition and every definition is used`(
        document: JSONSchemaDocument
    ) {
        let root = document.root
        let names = root["definitions"]?.objectValue?.members.map(\.key) ?? []
        let references = Self.values(of: "$ref", in: .object(root)).compactMap(\.stringValue)
        #expect(Set(references) == Set(names.map { "#/definitions/\($0)" }))
        #expect(names.count == Set(names).count)
        #expect(names.count > (document == .population ? 2 : 15))
    }

    @Test func `variables are accepted only below environments`() {
        let project = JSONSchemaDocument.project.root
        let pace = project["definitions"]?["pace-with-variables"]
        #expect(pace?["properties"]?["fan_outs"]?["type"] == ["integer", "string"])
        #expect(project["definitions"]?["pace"] == nil)
        #expect(project["definitions"]?["delivery-with-variables"] == nil)
        #expect(!JSONSchemaDocument.campaign.text.contains("{[A-Za-z_]"))
    }

    @Test func `null removes only values that defaults can have`() {
        let definitions = JSONSchemaDocument.campaign.root["definitions"]
        let campaign = definitions?["a-campaign"]?["properties"]
        for key in ["owner", "labels", "on_unknown", "delivery"] {
            #expect(Self.takesNull(campaign?[key]), "\(key)")
        }
        for key in ["campaign", "about", "message", "schedule", "variants", "locales"] {
            #expect(!Self.takesNull(campaign?[key]), "\(key)")
        }
        #expect(Self.takesNull(campaign?["labels"]?["additionalProperties"]))
        #expect(!Self.takesNull(campaign?["locales"]?["additionalProperties"]))
        #expect(Self.takesNull(definitions?["message-merged"]?["properties"]?["android"]))
        #expect(Self.takesNull(definitions?["aps-merged"]?["properties"]?["badge"]))
        let project = JSONSchemaDocument.project.root["definitions"]
        #expect(!Self.takesNull(project?["defaults"]?["properties"]?["delivery"]))
        // The defaults of an environment can remove those of the project.
        #expect(Self.takesNull(project?["defaults-patch"]?["properties"]?["delivery"]))
    }

    @Test func `a campaign may take its message from the one that it extends`() {
        let definitions = JSONSchemaDocument.campaign.root["definitions"]
        let campaign = definitions?["a-campaign"]
        #expect(campaign?["required"] == ["campaign"])
        let either: JSONValue = ["anyOf": [["required": ["message"]], ["required": ["extends"]]]]
        #expect(campaign?["allOf"]?.arrayValue?.contains(either) == true)
        // A null there removes a default.
        let message = definitions?["a-shared-message-patch"]?["properties"]
        for key in ["notification", "data", "delivery", "owner"] {
            #expect(Self.takesNull(message?[key]), "\(key)")
        }
    }

    @Test func `a correction needs no audience, and excludes the keys of sends`() {
        let campaign = JSONSchemaDocument.campaign.root["definitions"]?["a-campaign"]
        let parts = campaign?["allOf"]?.arrayValue ?? []
        let either: JSONValue = ["anyOf": [["required": ["audience"]], ["required": ["corrects"]]]]
        #expect(parts.contains(either))
        let excluded = parts.first { $0["if"]?["required"] == ["corrects"] }?["then"]?["not"]?[
            "anyOf"
        ]
        let names = excluded?.arrayValue?.compactMap {
            $0["required"]?.arrayValue?.first?.stringValue
        }
        #expect(Set(names ?? []).isSuperset(of: ["audience", "schedule", "delivery", "extends"]))
        #expect(names?.contains("message") == false)
    }

    @Test func `keys that are refused by name are not offered`() {
        let offered: [JSONSchemaDocument: String] = [
            .project: "environments", .campaign: "audience", .population: "platforms",
        ]
        for document in JSONSchemaDocument.allCases {
            let keys = Self.values(of: "properties", in: .object(document.root))
                .flatMap { $0.objectValue?.members.map(\.key) ?? [] }
            #expect(keys.contains(offered[document] ?? ""))
            #expect(!keys.contains("installed"))
        }
    }

    @Test(arguments: JSONSchemaDocument.allCases)
    func `null is never a separate alternative, which validators report alone`(
        document: JSONSchemaDocument
    ) {
        for alternatives in Self.values(of: "anyOf", in: .object(document.root)) {
            #expect(alternatives.arrayValue?.contains(["type": "null"]) == false)
        }
    }

    @Test(arguments: JSONSchemaDocument.allCases)
    func `every choice describes its values`(document: JSONSchemaDocument) {
        Self.forEachChoice(in: .object(document.root)) { choice in
            let values = choice["enum"]?.arrayValue ?? []
            let texts = choice["enumDescriptions"]?.arrayValue ?? []
            #expect(texts.count == values.count, "\(values)")
            #expect(texts.allSatisfy { $0.stringValue?.hasSuffix(".") == true })
        }
    }

    @Test func `keys that plan and apply refuse are not suggested`() {
        let definitions = JSONSchemaDocument.campaign.root["definitions"]
        let message = definitions?["message-merged"]?["properties"]
        #expect(message?["android_v2"]?["doNotSuggest"] == true)
        #expect(message?["android"]?["doNotSuggest"] == nil)
        #expect(definitions?["schedule"]?["properties"]?["late_after"]?["default"] == "10m")
    }

    @Test func `every Herald key has a description`() {
        let ofFCM = Self.subjects(below: .mapping(MessageFields.message.schema))
        let others = [ProjectDeclaration.reader.schema, PopulationDeclaration.reader.schema]
        for subject in others + DocumentKind.allCases.map(\.schema) {
            Self.forEachMapping(in: .mapping(subject)) { mapping in
                guard !ofFCM.contains(mapping.subject) else { return }
                for field in mapping.fields {
                    #expect(field.about.hasSuffix("."), "\(mapping.subject): \(field.name)")
                }
            }
        }
    }

    private static func takesNull(_ schema: JSONValue?) -> Bool {
        schema?["type"]?.arrayValue?.contains("null") == true
            || schema?["enum"]?.arrayValue?.contains(.null) == true
            || schema?["allOf"]?.arrayValue?.count == 1
                && schema?["allOf"]?.arrayValue?.first?["$ref"]?.stringValue
                    .map { $0.hasSuffix("-merged") || $0.hasSuffix("-patch") } == true
    }

    private static func values(of key: String, in value: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let elements): elements.flatMap { values(of: key, in: $0) }
        case .object(let object):
            object.members.flatMap { member in
                (member.key == key ? [member.value] : []) + values(of: key, in: member.value)
            }
        default: []
        }
    }

    /// Visits every choice of a file, without the conditions on one of its values.
    private static func forEachChoice(in value: JSONValue, _ body: (JSONObject) -> Void) {
        switch value {
        case .array(let elements): for element in elements { forEachChoice(in: element, body) }
        case .object(let object):
            if object["enum"] != nil { body(object) }
            for member in object.members where member.key != "if" {
                forEachChoice(in: member.value, body)
            }
        default: break
        }
    }

    private static func subjects(below value: ValueSchema) -> Set<String> {
        var subjects: Set<String> = []
        forEachMapping(in: value) { subjects.insert($0.subject) }
        return subjects
    }

    private static func forEachMapping(in value: ValueSchema, _ body: (MappingSchema) -> Void) {
        switch value {
        case .list(let element, _): forEachMapping(in: element, body)
        case .named(_, let content): forEachMapping(in: content, body)
        case .either(let values): for value in values { forEachMapping(in: value, body) }
        case .part(let content): forEachMapping(in: content, body)
        case .mapping(let mapping):
            body(mapping)
            for field in mapping.fields { forEachMapping(in: field.schema, body) }
        default: break
        }
    }
}
