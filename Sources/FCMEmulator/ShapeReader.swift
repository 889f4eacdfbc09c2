import FCMDelivery
import FCMWire

/// Reads an object by its shape, as Google's front ends read protobuf's JSON: both spellings of a
/// name, null as absence, and every violation of the request in one answer.
///
/// What is right as it stands is not copied, and a violation's place is put together on the way
/// out: most requests have none.
struct ShapeReader {
    private var found: [ShapeViolation] = []

    var violations: [FieldViolation] { found.map(\.violation) }

    /// What becomes of a value.
    private enum Reading {
        case asWritten
        case otherwise(JSONValue)
        case refused
    }

    /// The object under the names of the public reference, without what was refused.
    mutating func read(_ value: JSONValue, as shape: MessageShape) -> JSONObject {
        guard case .object(let object) = value else {
            refuse { _ in
                "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
            }
            return [:]
        }
        return read(object, as: shape) ?? object
    }

    /// Nil where the object is right as it stands.
    private mutating func read(_ object: JSONObject, as shape: MessageShape) -> JSONObject? {
        var rewritten = Rewriting(object.members)
        var hasUnion = false
        for member in object.members {
            guard let index = shape.index(of: member.key) else {
                refuseUnknown(member.key)
                rewritten.drop()
                continue
            }
            if member.value == .null {
                rewritten.drop()
                continue
            }
            let field = shape.fields[index]
            if field.isInUnion {
                if hasUnion { refuseSecond(field.name, of: shape.unionName ?? "") }
                hasUnion = true
            }
            guard !refuseList(member, as: field.kind) else {
                rewritten.drop()
                continue
            }
            let count = found.count
            switch read(member.value, as: field.kind) {
            case .asWritten: rewritten.keep(member, under: field.name)
            case .otherwise(let value): rewritten.replace(by: value, under: field.name)
            case .refused: rewritten.drop()
            }
            if found.count > count { place(count, .member(field.name)) }
        }
        return rewritten.members.map { JSONObject($0) }
    }

    private mutating func read(_ value: JSONValue, as kind: FieldKind) -> Reading {
        switch (kind, value) {
        case (.string, .string), (.bool, .bool), (.freeObject, .object), (.number, .integer),
            (.number, .number):
            return .asWritten
        case (.int32, .integer), (.int32, .number), (.int32, .string):
            return value.int32.map { .otherwise(.integer(Int64($0))) } ?? refuse(value, as: kind)
        case (.enumeration(_, let names), .string(let text)):
            if names.contains(text) { return .asWritten }
            let name = text.uppercased()
            return names.contains(name) ? .otherwise(.string(name)) : refuse(value, as: kind)
        case (.duration, .string(let text)):
            return DurationText(text) == nil ? refuseText(text, as: kind) : .asWritten
        case (.timestamp, .string(let text)):
            return RFC3339Text(text) == nil ? refuseText(text, as: kind) : .asWritten
        case (.list(let element), .array(let values)):
            return .otherwise(.array(readElements(values, as: element)))
        case (.map, .object(let object)):
            checkMap(object)
            return .asWritten
        case (.object(let shape), .object(let object)):
            return read(object, as: shape).map { .otherwise(.object($0)) } ?? .asWritten
        default:
            return refuse(value, as: kind)
        }
    }

    private mutating func readElements(_ values: [JSONValue], as kind: FieldKind) -> [JSONValue] {
        values.enumerated().compactMap { index, value in
            let count = found.count
            defer { if found.count > count { place(count, .element(index)) } }
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
                place(count, .member("value"))
            }
            place(count, .element(index))
        }
    }

    /// True where a member is a list and its field takes none.
    private mutating func refuseList(_ member: JSONObject.Member, as kind: FieldKind) -> Bool {
        guard case .array = member.value else { return false }
        switch kind {
        case .list, .freeObject: return false
        case .map:
            refuse { place in
                "Invalid value at '\(place)' (Map), Cannot bind a list to map for field "
                    + "'\(member.key)'."
            }
        default:
            refuseName(member.key, "Proto field is not repeating, cannot start list.")
        }
        return true
    }

    private mutating func refuse(_ value: JSONValue, as kind: FieldKind) -> Reading {
        // An object in place of a text is taken for a message without fields.
        if case .object(let object) = value, kind.isScalar, !object.isEmpty {
            for member in object.members { refuseUnknown(member.key) }
            return .refused
        }
        refuse { "Invalid value at '\($0)' (\(kind.typeName)), \(value.excerpt)" }
        return .refused
    }

    /// A duration or a timestamp that is a text of another form.
    private mutating func refuseText(_ text: String, as kind: FieldKind) -> Reading {
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
        refuseName(name, "Cannot find field.")
    }

    private mutating func refuseName(_ name: String, _ problem: String) {
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

    /// Says of the violations from one on where they lie in what is around them.
    private mutating func place(_ first: Int, _ step: ShapePlace.Step) {
        for index in found.indices[first...] { found[index].place.enter(step) }
    }
}

/// A violation, whose place is known from the inside out.
private struct ShapeViolation {
    var place = ShapePlace()
    let description: (ShapePlace) -> String

    var violation: FieldViolation {
        FieldViolation(field: place.description, description: description(place))
    }
}

/// `message.data[1].value`.
private struct ShapePlace: CustomStringConvertible {
    enum Step {
        case member(String)
        case element(Int)
    }

    /// The innermost one first.
    private var steps: [Step] = []

    /// The innermost step; nil for the request itself.
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

/// The members of an object that are copied from the first on that is not as it was written.
private struct Rewriting {
    private let written: [JSONObject.Member]
    private var count = 0
    /// Nil while nothing has changed.
    private(set) var members: [JSONObject.Member]?

    init(_ written: [JSONObject.Member]) {
        self.written = written
    }

    mutating func keep(_ member: JSONObject.Member, under name: String) {
        if name != member.key { begin() }
        members?.append(
            name == member.key ? member : JSONObject.Member(key: name, value: member.value)
        )
        count += 1
    }

    mutating func replace(by value: JSONValue, under name: String) {
        begin()
        members?.append(JSONObject.Member(key: name, value: value))
        count += 1
    }

    mutating func drop() {
        begin()
        count += 1
    }

    private mutating func begin() {
        if members == nil { members = Array(written[..<count]) }
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
