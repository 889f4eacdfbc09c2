import JSON
import Text

extension MappingSchema.Field {
    /// The default that the description states, if it is a value: `(default: 10m)`.
    ///
    /// A default as prose, such as `(default: the project's)`, is not a value.
    var statedDefault: JSONValue? {
        guard let start = about.firstRange(of: "(default: ")?.upperBound,
            let end = about[start...].firstIndex(of: ")")
        else { return nil }
        let stated = about[start..<end]
        let isQuoted = stated.count > 2 && stated.hasPrefix("`") && stated.hasSuffix("`")
        let text = isQuoted ? stated.dropFirst().dropLast() : stated
        guard !text.contains(where: { " ,`".contains($0) }) else { return nil }
        return schema.value(String(text), isQuoted: isQuoted)
    }
}

extension ValueSchema {
    fileprivate func value(_ text: String, isQuoted: Bool) -> JSONValue? {
        switch self {
        case .choice(let values): values.contains(text) ? .string(text) : nil
        case .flag: ["true": true, "false": false][text]
        case .integer(let range):
            Int64(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .number: Int64(text).map(JSONValue.integer)
        case .text: isQuoted || text.utf8.first?.isASCIIDigit == true ? .string(text) : nil
        case .part(let content): content.value(text, isQuoted: isQuoted)
        case .list, .named, .mapping, .either, .anything: nil
        }
    }
}
