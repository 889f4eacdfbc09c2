import JSON
import Testing

struct JSONShapeTests {
    private enum Roast: String, CaseIterable {
        case light
        case dark = "very dark"
    }

    private struct Coffee {
        let name: String
        let roast: Roast
        let grams: Int?
        let notes: [String]
        var filter: String?
    }

    private static let shape = JSONShape<Coffee>(
        "A coffee.",
        [
            .constant("kind", is: "coffee"),
            .required("name", .text, about: "Name.") { $0.name },
            .required("roast", .choice, about: "Roast.") { $0.roast },
            .required("grams", .nullable(.count), about: "Weight.") { $0.grams },
            .required("notes", .list(of: .text), about: "Notes.") { $0.notes },
            .optional(
                "filter",
                .text,
                about: "Filter.",
                requiredIf: JSONCondition("roast", isOneOf: [Roast.light])
            ) { $0.filter },
        ]
    )

    private func text(_ object: JSONObject) -> String { JSONValue.object(object).compactText }

    @Test func `writes the members in their declared order`() {
        let coffee = Coffee(name: "Sidamo", roast: .light, grams: 250, notes: ["jasmine"])
        #expect(
            text(Self.shape.json(of: coffee))
                == #"{"kind":"coffee","name":"Sidamo","roast":"light","grams":250,"#
                + #""notes":["jasmine"]}"#
        )
    }

    @Test func `writes null for a nullable member and leaves out an optional one`() {
        let none = Coffee(name: "", roast: .dark, grams: nil, notes: [])
        #expect(
            text(Self.shape.json(of: none))
                == #"{"kind":"coffee","name":"","roast":"very dark","grams":null,"notes":[]}"#
        )
        let filtered = Coffee(name: "", roast: .dark, grams: nil, notes: [], filter: "paper")
        #expect(text(Self.shape.json(of: filtered)).hasSuffix(#""notes":[],"filter":"paper"}"#))
    }

    @Test func `describes the members in the schema`() {
        #expect(
            JSONValue.object(Self.shape.schema).prettyText == """
                {
                  "type": "object",
                  "description": "A coffee.",
                  "required": [
                    "kind",
                    "name",
                    "roast",
                    "grams",
                    "notes"
                  ],
                  "properties": {
                    "kind": {
                      "const": "coffee"
                    },
                    "name": {
                      "type": "string",
                      "description": "Name."
                    },
                    "roast": {
                      "enum": [
                        "light",
                        "very dark"
                      ],
                      "description": "Roast."
                    },
                    "grams": {
                      "type": [
                        "integer",
                        "null"
                      ],
                      "minimum": 0,
                      "description": "Weight."
                    },
                    "notes": {
                      "type": "array",
                      "items": {
                        "type": "string"
                      },
                      "description": "Notes."
                    },
                    "filter": {
                      "type": "string",
                      "description": "Filter."
                    }
                  },
                  "allOf": [
                    {
                      "if": {
                        "properties": {
                          "roast": {
                            "const": "light"
                          }
                        }
                      },
                      "then": {
                        "required": [
                          "filter"
                        ]
                      }
                    },
                    {
                      "if": {
                        "properties": {
                          "roast": {
                            "const": "very dark"
                          }
                        }
                      },
                      "then": {
                        "required": []
                      }
                    }
                  ]
                }
                """
        )
    }

    @Test func `a seal is the last member and is read from all others`() {
        let shape = JSONShape<Int>(
            "A sealed number.",
            [.required("number", .integer, about: "Number.") { $0 }],
            sealedBy: .required("seal", .text, about: "Seal.") { object in
                JSONValue.object(object).compactText
            }
        )
        #expect(text(shape.json(of: 7)) == #"{"number":7,"seal":"{\"number\":7}"}"#)
        #expect(shape.schema["required"] == ["number", "seal"])
        #expect(
            shape.schema["properties"]?["seal"] == ["type": "string", "description": "Seal."]
        )
    }

    @Test func `members of a part are members of the whole`() {
        let pair = JSONShape<(first: Coffee, second: Int)>(
            "A pair.",
            Self.shape.members.reading { $0.first } + [
                .required("second", .integer, about: "Second.") { $0.second }
            ]
        )
        let coffee = Coffee(name: "Yirga", roast: .dark, grams: 1, notes: [])
        #expect(
            text(pair.json(of: (first: coffee, second: -2)))
                == #"{"kind":"coffee","name":"Yirga","roast":"very dark","grams":1,"#
                + #""notes":[],"second":-2}"#
        )
        #expect(
            pair.schema["required"] == ["kind", "name", "roast", "grams", "notes", "second"]
        )
    }

    @Test func `a reference names a definition, which has the description`() {
        let definition = JSONDefinition("coffee", of: Self.shape)
        let cup = JSONShape<Coffee>(
            "A cup.",
            [.required("of", .reference(to: definition), about: "Not shown.") { $0 }]
        )
        let coffee = Coffee(name: "Harrar", roast: .dark, grams: nil, notes: [])
        #expect(text(cup.json(of: coffee)).hasPrefix(#"{"of":{"kind":"coffee","name":"Harrar","#))
        #expect(cup.schema["properties"]?["of"] == ["$ref": "#/definitions/coffee"])
        #expect(definition.entry.key == "coffee")
        #expect(definition.entry.value == .object(Self.shape.schema))
    }
}
