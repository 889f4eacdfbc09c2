import FoundationEssentials

extension JSONValue {
    /// Reads JSON text; nil where the bytes are not JSON.
    ///
    /// The order of members is not kept.
    package init?(parsing bytes: some Sequence<UInt8>) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else {
            return nil
        }
        self = value
    }

    /// Reads JSON text; nil where the text is not JSON.
    ///
    /// The order of members is not kept.
    package init?(parsing text: String) {
        self.init(parsing: text.utf8)
    }
}

extension JSONValue: Decodable {
    // Strings and objects come first: they are what FCM's bodies are made of.
    package init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let text = try? single.decode(String.self) {
            self = .string(text)
        } else if let members = try? decoder.container(keyedBy: MemberKey.self) {
            self = .object(
                JSONObject(
                    try members.allKeys.map { key in
                        JSONObject.Member(
                            key: key.stringValue,
                            value: try members.decode(JSONValue.self, forKey: key)
                        )
                    }
                )
            )
        } else if let elements = try? single.decode([JSONValue].self) {
            self = .array(elements)
        } else if single.decodeNil() {
            self = .null
        } else if let bool = try? single.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? single.decode(Int64.self) {
            self = .integer(integer)
        } else {
            self = .number(try single.decode(Double.self))
        }
    }

    private struct MemberKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
