/// A member of an object: its name, type and meaning, and how it is read from a value.
package struct JSONMember<Value>: Sendable {
    let declaration: JSONMemberDeclaration
    private let read: @Sendable (Value) -> JSONValue?

    package var name: String { declaration.name }

    private init(
        _ declaration: JSONMemberDeclaration,
        read: @escaping @Sendable (Value) -> JSONValue?
    ) {
        self.declaration = declaration
        self.read = read
    }

    /// A member of every object.
    ///
    /// `about`: the description in the schema; nil if the type has one.
    package static func required<Part>(
        _ name: String,
        _ type: JSONType<Part>,
        about: String? = nil,
        read: @escaping @Sendable (Value) -> Part
    ) -> JSONMember {
        let schema = type.schema.described(about)
        return JSONMember(
            JSONMemberDeclaration(name: name, schema: schema, presence: .always)
        ) {
            type.json(of: read($0))
        }
    }

    /// A member that is left out if `read` returns nil.
    ///
    /// `condition`: all objects that meet it have the member.
    package static func optional<Part>(
        _ name: String,
        _ type: JSONType<Part>,
        about: String? = nil,
        requiredIf condition: JSONCondition? = nil,
        read: @escaping @Sendable (Value) -> Part?
    ) -> JSONMember {
        let schema = type.schema.described(about)
        return JSONMember(
            JSONMemberDeclaration(name: name, schema: schema, presence: .sometimes(condition))
        ) {
            read($0).map(type.json(of:))
        }
    }

    /// A member that has the same text in every object.
    package static func constant(_ name: String, is text: String) -> JSONMember {
        let value = JSONValue.string(text)
        return JSONMember(
            JSONMemberDeclaration(name: name, schema: ["const": value], presence: .always)
        ) { _ in
            value
        }
    }

    /// Nil if the object of this value has no such member.
    package func json(of value: Value) -> JSONValue? { read(value) }

    /// Returns the same member of an object that is written from a larger value.
    package func reading<Whole>(
        _ part: @escaping @Sendable (Whole) -> Value
    ) -> JSONMember<Whole> {
        JSONMember<Whole>(declaration) { json(of: part($0)) }
    }
}

extension Array {
    /// Returns the same members of an object that is written from a larger value.
    package func reading<Whole, Part>(
        _ part: @escaping @Sendable (Whole) -> Part
    ) -> [JSONMember<Whole>] where Element == JSONMember<Part> {
        map { $0.reading(part) }
    }
}

/// A condition on another member of the same object.
package struct JSONCondition: Hashable, Sendable {
    let member: String
    /// The values of the member that meet the condition.
    let values: [String]
    /// All values of the member.
    let cases: [String]

    /// The member is a choice, and has one of these values.
    package init<Choice>(_ member: String, isOneOf values: [Choice])
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        self.member = member
        self.values = values.map(\.rawValue)
        cases = Choice.allCases.map(\.rawValue)
    }
}

/// What the schema specifies about a member.
struct JSONMemberDeclaration: Sendable {
    enum Presence: Hashable, Sendable {
        case always
        case sometimes(JSONCondition?)
    }

    let name: String
    let schema: JSONObject
    let presence: Presence

    var condition: JSONCondition? {
        switch presence {
        case .always: nil
        case .sometimes(let condition): condition
        }
    }
}

extension JSONObject {
    /// The schema with a description.
    ///
    /// A reference has none, because its definition has one.
    fileprivate func described(_ about: String?) -> JSONObject {
        guard let about, self["$ref"] == nil else { return self }
        var schema = self
        schema["description"] = .string(about)
        return schema
    }
}
