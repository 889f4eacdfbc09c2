package import JSON

/// Reads an object by its shape, as Google's front ends parse protobuf JSON.
///
/// It accepts both spellings of a name, treats null as absent, and reports all violations of a
/// request in one answer. Values that need no change are not copied. The position of a violation is
/// built while the recursion returns, because most requests have none.
package struct ShapeReader {
    private var found: [ShapeViolation] = []

    package init() {}

    package var violations: [FieldViolation] { found.map(\.violation) }

    /// The result of reading a value or a member.
    private enum Reading<Value> {
        case asWritten
        case otherwise(Value)
        case refused
    }

    /// Returns the object with the names of the public reference, without refused members.
    package mutating func read(_ value: JSONValue, as shape: MessageShape) -> JSONObject {
        guard case .object(let object) = value else {
            refuse { _ in
                "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
            }
            return [:]
        }
        return read(object, as: shape) ?? object
    }

    /// Returns nil if the object needs no change.
    private mutating func read(_ object: JSONObject, as shape: MessageShape) -> JSONObject? {
        let members = object.members.span
        var rewritten: [JSONObject.Member]?
        var hasUnion = false
        for place in members.indices {
            let reading = read(members[place], as: shape, hasUnion: &hasUnion)
            if case .asWritten = reading, rewritten == nil { continue }
            var kept = rewritten ?? Array(object.members[..<place])
            rewritten = nil
            switch reading {
            case .asWritten: kept.append(members[place])
            case .otherwise(let member): kept.append(member)
            case .refused: break
            }
            rewritten = kept
        }
        return rewritten.map { JSONObject($0) }
    }

    private mutating func read(
        _ member: JSONObject.Member,
        as shape: MessageShape,
        hasUnion: inout Bool
    ) -> Reading<JSONObject.Member> {
        guard let index = shape.index(of: member.key) else {
            refuseName(
                member.key,
                because: "Cannot find field." + shape.suggestion(for: member.key)
            )
            return .refused
        }
        if case .null = member.value { return .refused }
        if shape.fields[index].isInUnion {
            if hasUnion { refuseSecond(shape.fields[index].name, of: shape.unionName ?? "") }
            hasUnion = true
        }
        if case .array = member.value, refuseList(member, as: shape.fields[index].kind) {
            return .refused
        }
        let count = found.count
        let reading = read(member.value, as: shape.fields[index].kind)
        if found.count > count { self.place(count, step: .member(shape.fields[index].name)) }
        switch reading {
        case .asWritten where !shape.fields[index].isOtherSpelling: return .asWritten
        case .asWritten:
            return .otherwise(.init(key: shape.fields[index].name, value: member.value))
        case .otherwise(let value):
            return .otherwise(.init(key: shape.fields[index].name, value: value))
        case .refused: return .refused
        }
    }

    private mutating func read(_ value: JSONValue, as kind: FieldKind) -> Reading<JSONValue> {
        switch kind {
        case .string: if case .string = value { return .asWritten }
        case .bool: if case .bool = value { return .asWritten }
        case .freeObject: if case .object = value { return .asWritten }
        case .number:
            switch value {
            case .integer, .number: return .asWritten
            default: break
            }
        case .int32:
            return value.int32.map { .otherwise(.integer(Int64($0))) } ?? refuse(value, as: kind)
        case .enumeration(_, let names):
            if case .string(let text) = value { return read(text, of: names, as: kind) }
        case .numbered(_, let names):
            if case .string(let text) = value { return read(text, of: names, as: kind) }
            if case .integer(let number) = value, names.indices.contains(Int(number)) {
                return .otherwise(.string(names[Int(number)]))
            }
        case .duration:
            if case .string(let text) = value {
                return DurationText(text) == nil ? refuseText(text, as: kind) : .asWritten
            }
        case .timestamp:
            if case .string(let text) = value {
                return RFC3339Text(text) == nil ? refuseText(text, as: kind) : .asWritten
            }
        case .list(let element):
            if case .array(let values) = value {
                return .otherwise(.array(readElements(values, as: element)))
            }
        case .map:
            if case .object(let object) = value {
                checkMap(object)
                return .asWritten
            }
        case .object(let shape):
            if case .object(let object) = value {
                return read(object, as: shape).map { .otherwise(.object($0)) } ?? .asWritten
            }
        }
        return refuse(value, as: kind)
    }

    private mutating func read(
        _ text: String,
        of names: some Collection<String>,
        as kind: FieldKind
    ) -> Reading<JSONValue> {
        if names.contains(text) { return .asWritten }
        let name = text.uppercased()
        return names.contains(name)
            ? .otherwise(.string(name)) : refuse(.string(text), as: kind)
    }

    private mutating func readElements(_ values: [JSONValue], as kind: FieldKind) -> [JSONValue] {
        values.enumerated().compactMap { index, value in
            let count = found.count
            defer { if found.count > count { place(count, step: .element(index)) } }
            switch read(value, as: kind) {
            case .asWritten: return value
            case .otherwise(let value): return value
            case .refused: return nil
            }
        }
    }

    private mutating func checkMap(_ object: JSONObject) {
        for (index, member) in object.members.enumerated() {
            if case .string = member.value { continue }
            let count = found.count
            let value = JSONObject.Member(key: "value", value: member.value)
            if !refuseList(value, as: .string) {
                _ = refuse(member.value, as: .map)
                place(count, step: .member("value"))
            }
            place(count, step: .element(index))
        }
    }

    /// Refuses a list in a field that is not a list; returns true if it does.
    private mutating func refuseList(_ member: JSONObject.Member, as kind: FieldKind) -> Bool {
        guard case .array = member.value else { return false }
        switch kind {
        case .list, .freeObject: return false
        case .map:
            refuse { place in
                "Invalid value at '\(place)' (Map), Cannot bind a list to map for field "
                    + "'\(member.key)'."
            }
        case .string, .bool, .int32, .number, .duration, .timestamp, .enumeration, .numbered,
            .object:
            refuseName(member.key, because: "Proto field is not repeating, cannot start list.")
        }
        return true
    }

    private mutating func refuse(_ value: JSONValue, as kind: FieldKind) -> Reading<JSONValue> {
        // An object in place of a scalar is treated as a message without fields.
        if case .object(let object) = value, kind.isScalar, !object.isEmpty {
            for member in object.members { refuseUnknown(member.key) }
            return .refused
        }
        refuse { "Invalid value at '\($0)' (\(kind.typeName)), \(value.excerpt)\(kind.choices)" }
        return .refused
    }

    /// Refuses a malformed duration or timestamp.
    private mutating func refuseText(_ text: String, as kind: FieldKind) -> Reading<JSONValue> {
        let problem =
            if case .duration = kind {
                "Illegal duration format; duration must end with 's'"
            } else {
                "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone "
                    + "offset."
            }
        refuse { place in
            let start = "Invalid value at '\(place)' (\(kind.typeName)), "
            guard case .member(let name)? = place.last else {
                return start + JSONValue.string(text).excerpt
            }
            return start + "Field '\(name)', \(problem)"
        }
        return .refused
    }

    private mutating func refuseUnknown(_ name: String) {
        refuseName(name, because: "Cannot find field.")
    }

    private mutating func refuseName(_ name: String, because problem: String) {
        refuse { place in
            let at = place.last == nil ? "" : " at '\(place)'"
            return "Invalid JSON payload received. Unknown name "
                + "\(JSONValue.string(name).excerpt)\(at): " + problem
        }
    }

    private mutating func refuseSecond(_ field: String, of union: String) {
        refuse { place in
            "Invalid value at '\(place)' (oneof), oneof field '\(union)' is already set. "
                + "Cannot set '\(field)'"
        }
    }

    private mutating func refuse(_ description: @escaping (ShapePlace) -> String) {
        found.append(ShapeViolation(description: description))
    }

    /// Prefixes the positions of all violations from `first` on with a step.
    private mutating func place(_ first: Int, step: ShapePlace.Step) {
        for index in found.indices[first...] { found[index].place.enter(step) }
    }
}

/// A violation, whose position is built from the inside out.
private struct ShapeViolation {
    var place = ShapePlace()
    let description: (ShapePlace) -> String

    var violation: FieldViolation {
        FieldViolation(field: place.description, description: description(place))
    }
}

/// A position such as `message.data[1].value`.
private struct ShapePlace: CustomStringConvertible {
    enum Step {
        case member(String)
        case element(Int)
    }

    /// The steps, innermost first.
    private var steps: [Step] = []

    /// The innermost step, or nil for the request itself.
    var last: Step? { steps.first }

    var description: String {
        steps.reversed().reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            case .element(let index): text += "[\(index)]"
            }
        }
    }

    mutating func enter(_ step: Step) { steps.append(step) }
}

extension JSONValue {
    /// The value as an integer; a string or a fraction of zero is accepted (protobuf's JSON form).
    fileprivate var int32: Int32? {
        switch self {
        case .integer(let integer): Int32(exactly: integer)
        case .number(let number): Int32(exactly: number)
        case .string(let text): Int32(text)
        default: nil
        }
    }

    /// The value for quotation in an error message, shortened.
    fileprivate var excerpt: String {
        let text = compactText
        return text.utf8.count > 200 ? text.prefix(200) + "…" : text
    }
}
