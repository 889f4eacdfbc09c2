/// A JSON value that keeps the order of its members.
///
/// Two objects are equal if they have the same members, in any order.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// The members of a JSON object in source order.
package struct JSONObject: Sendable {
    package struct Member: Hashable, Sendable {
        package let key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package private(set) var members: [Member]

    package init(_ members: [Member] = []) {
        self.members = members
    }

    package var isEmpty: Bool { members.isEmpty }

    package mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// Adds a member with a new key.
    package mutating func append(_ key: String, value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// The value of a member; setting `nil` removes the member, setting a new one appends it.
    ///
    /// Keys are compared by their bytes.
    package subscript(key: String) -> JSONValue? {
        get {
            let length = key.utf8.count
            let members = members.span
            for place in members.indices
            where members[place].key.utf8.count == length && members[place].key == key {
                return members[place].value
            }
            return nil
        }
        set {
            let index = members.firstIndex { $0.key.utf8.count == key.utf8.count && $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Hashable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        // Fast path: usually both objects have the same order, and no lookup is needed.
        return left.members.indices.allSatisfy { place in
            left.members[place].key == right.members[place].key
                ? left.members[place].value == right.members[place].value
                : right[left.members[place].key] == left.members[place].value
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Set(members.map(\.key)))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(key: $0.0, value: $0.1) })
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }
}

extension JSONValue {
    package var objectValue: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    package var arrayValue: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    package var integerValue: Int64? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    package var boolValue: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    /// The value of an object's member; nil if this is not an object or has no such member.
    package subscript(key: String) -> JSONValue? { objectValue?[key] }
}
