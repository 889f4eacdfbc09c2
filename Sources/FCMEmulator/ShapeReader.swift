import FCMDelivery
import FCMWire

/// Reads an object by its shape, as Google's front ends read protobuf's JSON: both spellings of a
/// name, null as absence, and every violation of the request in one answer.
struct ShapeReader {
    private(set) var violations: [FieldViolation] = []
    private var path: [PathStep] = []

    private enum PathStep {
        case member(String)
        case element(Int)
    }

    /// The object under the names of the public reference, without what was refused.
    mutating func read(_ value: JSONValue, as shape: MessageShape) -> JSONObject {
        guard case .object(let object) = value else {
            refuse(
                "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
            )
            return [:]
        }
        return read(object, as: shape)
    }

    private mutating func read(_ object: JSONObject, as shape: MessageShape) -> JSONObject {
        var members: [JSONObject.Member] = []
        var taken = false
        for member in object.members {
            guard let field = shape.fields[member.key] else {
                refuseUnknown(member.key)
                continue
            }
            if member.value == .null { continue }
            if let union = shape.union, union.fields.contains(field.name) {
                if taken { refuseSecond(field.name, of: union.name) }
                taken = true
            }
            guard !refuseList(member, as: field.kind) else { continue }
            path.append(.member(field.name))
            if let value = read(member.value, as: field.kind) {
                members.append(JSONObject.Member(key: field.name, value: value))
            }
            path.removeLast()
        }
        return JSONObject(members)
    }

    private mutating func read(_ value: JSONValue, as kind: FieldKind) -> JSONValue? {
        switch (kind, value) {
        case (.string, .string), (.bool, .bool), (.freeObject, .object), (.number, .integer),
            (.number, .number):
            return value
        case (.int32, .integer), (.int32, .number), (.int32, .string):
            return value.int32.map { .integer(Int64($0)) } ?? refuse(value, as: kind)
        case (.enumeration(_, let names), .string(let text)):
            let name = text.uppercased()
            return names.contains(name) ? .string(name) : refuse(value, as: kind)
        case (.duration, .string(let text)):
            return DurationText(text) == nil ? refuseText(text, as: kind) : value
        case (.timestamp, .string(let text)):
            return RFC3339Text(text) == nil ? refuseText(text, as: kind) : value
        case (.list(let element), .array(let values)):
            return .array(readElements(values, as: element))
        case (.map, .object(let object)):
            return .object(readMap(object))
        case (.object(let shape), .object(let object)):
            return .object(read(object, as: shape))
        default:
            return refuse(value, as: kind)
        }
    }

    private mutating func readElements(_ values: [JSONValue], as kind: FieldKind) -> [JSONValue] {
        values.enumerated().compactMap { index, value in
            path.append(.element(index))
            defer { path.removeLast() }
            return read(value, as: kind)
        }
    }

    private mutating func readMap(_ object: JSONObject) -> JSONObject {
        for (index, member) in object.members.enumerated() where member.value.stringValue == nil {
            path.append(.element(index))
            let value = JSONObject.Member(key: "value", value: member.value)
            if !refuseList(value, as: .string) {
                path.append(.member("value"))
                _ = refuse(member.value, as: .map)
                path.removeLast()
            }
            path.removeLast()
        }
        return object
    }

    /// True where a member is a list and its field takes none.
    private mutating func refuseList(_ member: JSONObject.Member, as kind: FieldKind) -> Bool {
        guard case .array = member.value else { return false }
        switch kind {
        case .list, .freeObject: return false
        case .map:
            refuse(
                "Invalid value at '\(place)' (Map), Cannot bind a list to map for field "
                    + "'\(member.key)'."
            )
        default:
            refuseName(member.key, "Proto field is not repeating, cannot start list.")
        }
        return true
    }

    private mutating func refuse(_ value: JSONValue, as kind: FieldKind) -> JSONValue? {
        // An object in place of a text is taken for a message without fields.
        if case .object(let object) = value, kind.isScalar, !object.isEmpty {
            for member in object.members { refuseUnknown(member.key) }
            return nil
        }
        refuse("Invalid value at '\(place)' (\(kind.typeName)), \(value.excerpt)")
        return nil
    }

    /// A duration or a timestamp that is a text of another form.
    private mutating func refuseText(_ text: String, as kind: FieldKind) -> JSONValue? {
        guard case .member(let name)? = path.last else {
            return refuse(.string(text), as: kind)
        }
        let problem =
            if case .duration = kind {
                "Illegal duration format; duration must end with 's'"
            } else {
                "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone "
                    + "offset."
            }
        refuse("Invalid value at '\(place)' (\(kind.typeName)), Field '\(name)', \(problem)")
        return nil
    }

    private mutating func refuseUnknown(_ name: String) {
        refuseName(name, "Cannot find field.")
    }

    private mutating func refuseName(_ name: String, _ problem: String) {
        let at = path.isEmpty ? "" : " at '\(place)'"
        refuse(
            "Invalid JSON payload received. Unknown name \(JSONValue.string(name).excerpt)\(at): "
                + problem
        )
    }

    private mutating func refuseSecond(_ field: String, of union: String) {
        refuse(
            "Invalid value at '\(place)' (oneof), oneof field '\(union)' is already set. "
                + "Cannot set '\(field)'"
        )
    }

    private mutating func refuse(_ description: String) {
        violations.append(FieldViolation(field: place, description: description))
    }

    private var place: String {
        path.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}

extension JSONValue {
    /// A whole number, also as a text or with a fraction of zero (protobuf's JSON form).
    fileprivate var int32: Int32? {
        switch self {
        case .integer(let integer): Int32(exactly: integer)
        case .number(let number): Int32(exactly: number)
        case .string(let text): Int32(text)
        default: nil
        }
    }

    /// The value as an error message quotes it, shortened.
    fileprivate var excerpt: String {
        let text = compactText
        return text.utf8.count > 200 ? text.prefix(200) + "…" : text
    }
}
