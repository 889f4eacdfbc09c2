import JSON
import Testing

@testable import CampaignLoading

struct JSONSchemaWriterTests {
    private func schema(
        _ value: ValueSchema,
        in scope: JSONSchemaWriter.Scope = .plain
    ) -> JSONObject {
        var writer = JSONSchemaWriter(mergesMessages: true)
        return writer.schema(of: value, in: scope)
    }

    private static func mapping(
        _ subject: String,
        _ fields: [(String, ValueSchema)],
        required: Set<String> = [],
        oneOf: [[String]] = [],
        atMostOneOf: [[String]] = []
    ) -> MappingSchema {
        MappingSchema(
            subject: subject,
            fields: fields.map { name, schema in
                MappingSchema.Field(
                    name: name,
                    isRequired: required.contains(name),
                    about: "About \(name).",
                    examples: [],
                    schema: schema
                )
            },
            oneOf: oneOf,
            atMostOneOf: atMostOneOf
        )
    }

    @Test func `text may look like another type`() {
        #expect(schema(.text(TextForm())) == ["type": "string"])
        #expect(schema(.text(.any)) == ["type": ["string", "number", "boolean"]])
        #expect(
            schema(.text(TextForm(lookalikes: .unsigned)))
                == ["type": ["string", "number", "boolean"], "minimum": 0]
        )
        #expect(
            schema(.text(TextForm(lookalikes: .whole)))
                == ["type": ["string", "integer", "boolean"]]
        )
    }

    @Test func `a pattern matches the whole text and a length counts characters`() {
        #expect(
            schema(.text(TextForm(pattern: "a|b", maximumLength: 3)))
                == ["type": "string", "pattern": "^(?:a|b)$", "maxLength": 3]
        )
    }

    @Test func `integer-like text is limited to the numbers of its form`() {
        #expect(
            schema(.text(TextForm(lookalikes: .integers(1...9))))
                == ["type": ["string", "integer"], "minimum": 1, "maximum": 9]
        )
        #expect(
            schema(.text(TextForm(lookalikes: .integers(0...Int64.max))))
                == ["type": ["string", "integer"], "minimum": 0]
        )
    }

    @Test func `a number and a flag may be quoted`() {
        #expect(
            schema(.integer(1...12)) == [
                "type": ["integer", "string"], "minimum": 1, "maximum": 12,
                "pattern": "^(?:\\+?0*([1-9]|1[0-2]))$",
            ]
        )
        #expect(
            schema(.flag) == ["type": ["boolean", "string"], "pattern": "^(?:true|false)$"]
        )
    }

    @Test func `a choice accepts the types that YAML reads from its values`() {
        #expect(schema(.choice(["1", "low"])) == ["enum": ["1", "low", 1]])
        #expect(
            schema(.choice(["on"]), in: .variables)["anyOf"]?.arrayValue?.first == ["enum": ["on"]]
        )
    }

    @Test(arguments: [
        ValueSchema.text(TextForm(pattern: "a")), .flag, .integer(1...2), .number(0...1),
    ])
    func `every scalar accepts a variable if variables are allowed`(value: ValueSchema) throws {
        let pattern = try #require(schema(value, in: .variables)["pattern"]?.stringValue)
        let regex = try Regex(pattern)
        for text in ["${A}", "x${A_1}y", "$${${A}", "${A}$${", "$${A}${B}"] {
            #expect(text.wholeMatch(of: regex) != nil, "\(text)")
        }
        for text in ["$${A}", "${1}", "${A", "$A", "$$${A}"] {
            #expect(text.wholeMatch(of: regex) == nil, "\(text)")
        }
        let plain = try Regex(try #require(schema(value)["pattern"]?.stringValue))
        #expect("${A}".wholeMatch(of: plain) == nil)
    }

    @Test func `one of two exclusive keys may be null`() {
        let value = Self.mapping("`m`", [("a", .flag), ("b", .flag)], atMostOneOf: [["a", "b"]])
        var writer = JSONSchemaWriter(mergesMessages: true)
        _ = writer.reference(to: value, in: .merged)
        let a: JSONValue = ["required": ["a"], "properties": ["a": ["not": ["type": "null"]]]]
        let b: JSONValue = ["required": ["b"], "properties": ["b": ["not": ["type": "null"]]]]
        #expect(
            writer.definitions["m-merged"]?["allOf"] == [
                ["if": ["type": "object"], "then": ["oneOf": [a, b, ["not": ["anyOf": [a, b]]]]]]
            ]
        )
    }

    @Test func `null removes a merged mapping, but is never a separate alternative`() {
        let inner = ValueSchema.mapping(Self.mapping("`inner`", [("a", .flag)]))
        let fields: [(String, ValueSchema)] = [
            ("one", inner), ("two", inner), ("three", .either([.text(.any), inner])),
            ("four", .either([.choice(["x"]), .integer(1...1)])),
        ]
        var writer = JSONSchemaWriter(mergesMessages: true)
        let outer = Self.mapping("`outer`", fields, required: ["two"])
        _ = writer.reference(to: outer, in: .merged)
        let properties = writer.definitions["outer-merged"]?["properties"]
        let reference: JSONValue = ["$ref": "#/definitions/inner-merged"]
        #expect(writer.definitions["inner-merged"]?["type"] == ["object", "null"])
        #expect(properties?["one"]?["allOf"] == [reference])
        #expect(properties?["two"]?["allOf"] == [reference, ["type": "object"]])
        #expect(properties?["three"]?["anyOf"]?.arrayValue?.last == reference)
        #expect(properties?["three"]?["anyOf"]?.arrayValue?.count == 2)
        let choices = properties?["four"]?["anyOf"]?.arrayValue
        #expect(choices?.first == ["enum": ["x", .null]])
        #expect(choices?.count == 2)
    }

    @Test func `editors get the default that a description states as a value`() {
        func property(_ about: String, _ schema: ValueSchema) -> JSONValue? {
            let field = MappingSchema.Field(
                name: "a",
                isRequired: false,
                about: about,
                examples: [],
                schema: schema
            )
            return field.statedDefault
        }
        #expect(property("Kind (default: b).", .choice(["a", "b"])) == "b")
        #expect(property("Kind (default: `b`).", .choice(["a", "b"])) == "b")
        #expect(property("Kind (default: c).", .choice(["a", "b"])) == nil)
        #expect(property("Whether (default: false).", .flag) == false)
        #expect(property("Number (default: 3).", .integer(1...4)) == 3)
        #expect(property("Number (default: 5).", .integer(1...4)) == nil)
        #expect(property("Time (default: 10m).", .text(.any)) == "10m")
        #expect(property("Column (default: `mark`).", .text(.any)) == "mark")
        for words in ["the project's", "forever", "60s, or 0 with an emulator", "10, set by FCM"] {
            #expect(property("Text (default: \(words)).", .text(.any)) == nil)
        }
        #expect(property("No default.", .text(.any)) == nil)
    }

    @Test func `editors do not suggest a key that plan and apply refuse`() {
        let fields = [true, false].map { isNotBuilt in
            MappingSchema.Field(
                name: isNotBuilt ? "later" : "now",
                isRequired: false,
                about: "",
                examples: [],
                schema: .flag,
                isNotBuilt: isNotBuilt
            )
        }
        var writer = JSONSchemaWriter(mergesMessages: true)
        _ = writer.reference(to: MappingSchema(subject: "`m`", fields: fields), in: .plain)
        let properties = writer.definitions["m"]?["properties"]
        #expect(properties?["later"]?["doNotSuggest"] == true)
        #expect(properties?["now"]?["doNotSuggest"] == nil)
    }

    @Test func `each value of a choice has a description, also numbers and null`() {
        let choice = schema(.choice(["1", "5", "10"]))
        #expect(choice["enum"]?.arrayValue?.count == 6)
        let texts = choice["enumDescriptions"]?.arrayValue
        #expect(texts?.count == 6)
        #expect(texts?.prefix(3) == texts?.suffix(3))
        let value = Self.mapping("`m`", [("a", .choice(["token", "fid"]))])
        var writer = JSONSchemaWriter(mergesMessages: true)
        _ = writer.reference(to: value, in: .merged)
        let property = writer.definitions["m-merged"]?["properties"]?["a"]
        #expect(property?["enum"] == ["token", "fid", .null])
        #expect(
            property?["enumDescriptions"] == [
                "FCM registration tokens.", "Firebase installation IDs.", "Removes the default.",
            ]
        )
    }

    @Test func `a mapping lists its keys, required keys and exclusive keys`() {
        let value = Self.mapping(
            "a kind_of thing",
            [("is_it", .flag), ("b", .flag)],
            required: ["is_it"],
            oneOf: [["is_it", "b"]]
        )
        var writer = JSONSchemaWriter(mergesMessages: true)
        let flag = writer.schema(of: .flag, in: .plain)
        #expect(
            writer.reference(to: value, in: .plain) == ["$ref": "#/definitions/a-kind_of-thing"]
        )
        let about: (String, String) -> JSONObject = { title, about in
            ["title": .string("Kind of thing: \(title)"), "description": .string(about)]
        }
        #expect(
            writer.definitions["a-kind_of-thing"] == [
                "title": "Kind of thing",
                "type": "object",
                "properties": [
                    "is_it": .object(about("is it", "About is_it.").with(flag)),
                    "b": .object(about("b", "About b.").with(flag)),
                ],
                "required": ["is_it"],
                "patternProperties": ["^x-": [:]],
                "additionalProperties": false,
                "allOf": [["oneOf": [["required": ["is_it"]], ["required": ["b"]]]]],
            ]
        )
    }

    @Test func `a key may require other keys`() {
        let value = MappingSchema(
            subject: "`m`",
            fields: [],
            needs: [.init("a", beside: "b"), .init("c", beside: "a", "b")]
        )
        var writer = JSONSchemaWriter(mergesMessages: true)
        _ = writer.reference(to: value, in: .plain)
        let a: JSONValue = ["required": ["a"]]
        let b: JSONValue = ["required": ["b"]]
        #expect(writer.definitions["m"]?["dependencies"] == ["a": b, "c": ["anyOf": [a, b]]])
    }

    @Test func `a requirement may apply to one value, and null does not count`() {
        let value = MappingSchema(
            subject: "`m`",
            fields: [],
            needs: [.init("a", beside: "b"), .init("c", is: "true", beside: "d")]
        )
        var writer = JSONSchemaWriter(mergesMessages: true)
        for scope in [JSONSchemaWriter.Scope.plain, .merged] {
            _ = writer.reference(to: value, in: scope)
        }
        let isTrue: JSONValue = [
            "required": ["c"], "properties": ["c": ["enum": ["true", true]]],
        ]
        #expect(writer.definitions["m"]?["dependencies"] == ["a": ["required": ["b"]]])
        #expect(
            writer.definitions["m"]?["allOf"] == [["if": isTrue, "then": ["required": ["d"]]]]
        )
        let present = ["a", "b", "d"].map { key -> JSONValue in
            ["required": [.string(key)], "properties": .object([key: ["not": ["type": "null"]]])]
        }
        #expect(
            writer.definitions["m-merged"]?["allOf"] == [
                ["if": present[0], "then": present[1]], ["if": isTrue, "then": present[2]],
            ]
        )
    }

    @Test func `a partial mapping requires keys only inside its lists`() {
        let inner = Self.mapping("`inner`", [("a", .flag)], required: ["a"])
        let outer = Self.mapping(
            "`outer`",
            [("b", .mapping(inner)), ("c", .list(of: .mapping(inner), atLeast: 0))],
            required: ["b"],
            oneOf: [["b", "c"]]
        )
        for (isCampaign, suffix) in [(true, "patch"), (false, "part")] {
            var writer = JSONSchemaWriter(mergesMessages: isCampaign)
            _ = writer.schema(of: .part(.mapping(outer)), in: .plain)
            let names = writer.definitions.members.map(\.key)
            #expect(names == ["outer-\(suffix)", "inner-\(suffix)", "inner"])
            for name in names.prefix(2) {
                #expect(writer.definitions[name]?["required"] == nil)
                #expect(writer.definitions[name]?["allOf"] == nil)
            }
            #expect(writer.definitions["inner"]?["required"] == ["a"])
            let flag = writer.definitions["inner-\(suffix)"]?["properties"]?["a"]?["type"]
            let kinds: [JSONValue] = ["boolean", "string"]
            #expect(flag == .array(kinds + (isCampaign ? ["null"] : [])))
        }
    }

    @Test func `a null cannot remove a required key`() {
        let value = Self.mapping("`m`", [("a", .flag), ("b", .flag)], required: ["a"])
        var writer = JSONSchemaWriter(mergesMessages: true)
        _ = writer.reference(to: value, in: .merged)
        let properties = writer.definitions["m-merged"]?["properties"]
        #expect(properties?["a"]?["type"] == ["boolean", "string"])
        #expect(properties?["b"]?["type"] == ["boolean", "string", "null"])
    }

    @Test func `a mapping is defined once per scope`() {
        let inner = ValueSchema.mapping(Self.mapping("`inner`", [("a", .flag)]))
        let outer = Self.mapping("`outer`", [("one", inner), ("two", inner)])
        var writer = JSONSchemaWriter(mergesMessages: true)
        _ = writer.reference(to: outer, in: .plain)
        _ = writer.reference(to: outer, in: .plain)
        #expect(writer.definitions.members.map(\.key) == ["outer", "inner"])
        _ = writer.schema(of: inner, in: .variables)
        #expect(
            writer.definitions.members.map(\.key) == ["outer", "inner", "inner-with-variables"]
        )
    }

    @Test func `null is allowed for a merged key but not in a list`() {
        let list = ValueSchema.list(of: .flag, atLeast: 1)
        let value = Self.mapping("`m`", [("a", .choice(["b"])), ("c", list), ("d", .anything)])
        var writer = JSONSchemaWriter(mergesMessages: true)
        _ = writer.reference(to: value, in: .merged)
        let properties = writer.definitions["m-merged"]?["properties"]
        #expect(properties?["a"]?["enum"] == ["b", .null])
        #expect(properties?["c"]?["type"] == ["array", "null"])
        #expect(properties?["c"]?["minItems"] == 1)
        #expect(properties?["c"]?["items"]?["type"] == ["boolean", "string"])
        #expect(properties?["d"]?["type"] == nil)
    }
}
