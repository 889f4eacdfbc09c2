package import JSON

/// Header fields with case-insensitive names; if a name is repeated, the last value counts.
package struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    /// The members as written; a value that is not a string counts as an empty string.
    private let members: [JSONObject.Member]

    package init(_ members: [JSONObject.Member] = []) {
        self.members = members
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        members = elements.map { JSONObject.Member(key: $0, value: .string($1)) }
    }

    /// Returns the value of a field, whose `name` must be lower case.
    package subscript(name: String) -> String? {
        let length = name.utf8.count
        guard
            let index = members.lastIndex(where: {
                $0.key.utf8.count == length && ($0.key == name || $0.key.lowercased() == name)
            })
        else { return nil }
        return members[index].value.stringValue ?? ""
    }
}
