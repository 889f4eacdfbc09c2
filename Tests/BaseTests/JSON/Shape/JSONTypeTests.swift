import JSON
import Testing

struct JSONTypeTests {
    private enum Size: String, CaseIterable {
        case small
        case large
    }

    private static let point = JSONShape<Int>(
        "A point.",
        [.required("x", .integer, about: "X.") { $0 }]
    )

    private func schema<Value>(_ type: JSONType<Value>) -> JSONValue { .object(type.schema) }

    @Test func `describes texts, numbers and flags`() {
        #expect(JSONType.text.json(of: "a") == "a")
        #expect(schema(.text) == ["type": "string"])
        #expect(schema(.text(pattern: "^a$")) == ["type": "string", "pattern": "^a$"])
        #expect(JSONType.flag.json(of: true) == true)
        #expect(schema(.flag) == ["type": "boolean"])
        #expect(JSONType.number.json(of: 1.5) == .number(1.5))
        #expect(schema(.number) == ["type": "number"])
        #expect(JSONType<Int32>.integer.json(of: -3) == -3)
        #expect(schema(JSONType<Int32>.integer) == ["type": "integer"])
        #expect(schema(JSONType<Int>.count) == ["type": "integer", "minimum": 0])
    }

    @Test func `a choice has the cases of its enum`() {
        #expect(JSONType<Size>.choice.json(of: .large) == "large")
        #expect(schema(JSONType<Size>.choice) == ["enum": ["small", "large"]])
        #expect(JSONType<Size>.openChoice.json(of: .small) == "small")
        #expect(
            schema(JSONType<Size>.openChoice)
                == ["anyOf": [["enum": ["small", "large"]], ["type": "string"]]]
        )
    }

    @Test func `a nullable type allows null`() {
        #expect(JSONType<String?>.nullable(.text).json(of: nil) == .null)
        #expect(JSONType<String?>.nullable(.text).json(of: "a") == "a")
        #expect(
            schema(JSONType<String?>.nullable(.text(pattern: "^a$")))
                == ["type": ["string", "null"], "pattern": "^a$"]
        )
        #expect(
            schema(JSONType<Size?>.nullable(.choice)) == ["enum": ["small", "large", .null]]
        )
        let reference = JSONType.reference(to: JSONDefinition("point", of: Self.point))
        #expect(
            schema(JSONType<Int?>.nullable(reference))
                == ["anyOf": [["$ref": "#/definitions/point"], ["type": "null"]]]
        )
    }

    @Test func `describes lists, objects and dictionaries`() {
        #expect(JSONType<[Int]>.list(of: .object(Self.point)).json(of: [1]) == [["x": 1]])
        #expect(
            schema(JSONType<[Int]>.list(of: .count))
                == ["type": "array", "items": ["type": "integer", "minimum": 0]]
        )
        #expect(
            schema(.object(Self.point)) == [
                "type": "object", "description": "A point.", "required": ["x"],
                "properties": ["x": ["type": "integer", "description": "X."]],
            ]
        )
        let counts = JSONType<[(name: String, value: Int)]>.dictionary(of: .count)
        #expect(
            counts.json(of: [(name: "b", value: 2), (name: "a", value: 1)]).compactText
                == #"{"b":2,"a":1}"#
        )
        #expect(
            schema(counts)
                == ["type": "object", "additionalProperties": ["type": "integer", "minimum": 0]]
        )
    }

    @Test func `writes computed elements in the order of the visit`() {
        let list = JSONType<ComputedElements<Int>>.list(of: .object(Self.point))
        let elements = ComputedElements<Int> { visit in
            for number in [3, 1, 2] { visit(number) }
        }
        #expect(list.json(of: elements).compactText == #"[{"x":3},{"x":1},{"x":2}]"#)
        #expect(schema(list)["items"] == .object(Self.point.schema))
    }

    @Test func `keeps values of other formats`() {
        #expect(JSONType.anything.json(of: [1, .null]) == [1, .null])
        #expect(schema(.anything) == [:])
        #expect(JSONType.anyObject.json(of: ["a": 1]) == ["a": 1])
        #expect(schema(.anyObject) == ["type": "object"])
        let written = JSONType.written(by: Self.point)
        #expect(written.json(of: ["x": 4]) == ["x": 4])
        #expect(schema(written) == .object(Self.point.schema))
    }

    @Test func `reads a value as a part of another`() {
        let type = JSONType<Int>.count.reading { (text: String) in text.utf8.count }
        #expect(type.json(of: "four") == 4)
        #expect(schema(type) == ["type": "integer", "minimum": 0])
    }
}
