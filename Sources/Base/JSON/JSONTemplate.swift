/// A part of a text with gaps.
package enum TextPart: Hashable, Sendable {
    case literal(String)
    /// The number of the text that fills the gap.
    case gap(Int)
}

/// The members of a JSON object, without braces, in which some texts have gaps.
///
/// It is encoded once. A filling is escaped as JSON when it is inserted, so it stays inside its
/// text, whatever it contains.
package struct JSONTemplate: Sendable {
    /// The JSON before each gap, and the number of the gap's text.
    private var pieces: [(json: [UInt8], gap: Int)] = []
    /// The JSON after the last gap.
    private var tail: [UInt8] = []

    /// `parts`: divides a text into its parts; not called for the keys of objects.
    package init(membersOf object: JSONObject, parts: (String) -> [TextPart]) {
        var writer = JSONWriter(layout: .compact)
        append(object, to: &writer, parts: parts)
        tail = writer.bytes
    }

    /// The number of bytes without the texts that fill the gaps.
    package var length: Int { pieces.reduce(tail.count) { $0 + $1.json.count } }

    private mutating func append(
        _ value: JSONValue,
        to writer: inout JSONWriter,
        parts: (String) -> [TextPart]
    ) {
        switch value {
        case .null, .bool, .integer, .number: writer.write(value)
        case .string(let text):
            writer.append(json: "\"")
            for part in parts(text) {
                switch part {
                case .literal(let text): writer.writeContent(of: text)
                case .gap(let number):
                    pieces.append((writer.bytes, number))
                    writer.removeAll(keepingUpTo: .max)
                }
            }
            writer.append(json: "\"")
        case .array(let elements):
            writer.append(json: "[")
            for (place, element) in elements.enumerated() {
                if place > 0 { writer.append(json: ",") }
                append(element, to: &writer, parts: parts)
            }
            writer.append(json: "]")
        case .object(let object):
            writer.append(json: "{")
            append(object, to: &writer, parts: parts)
            writer.append(json: "}")
        }
    }

    private mutating func append(
        _ object: JSONObject,
        to writer: inout JSONWriter,
        parts: (String) -> [TextPart]
    ) {
        for (place, member) in object.members.enumerated() {
            if place > 0 { writer.append(json: ",") }
            writer.write(member.key)
            writer.append(json: ":")
            append(member.value, to: &writer, parts: parts)
        }
    }

    /// Appends the JSON with its gaps filled.
    package func append(to writer: inout JSONWriter, filling texts: [String]) {
        for piece in pieces {
            writer.append(json: piece.json)
            writer.writeContent(of: texts[piece.gap])
        }
        writer.append(json: tail)
    }
}
