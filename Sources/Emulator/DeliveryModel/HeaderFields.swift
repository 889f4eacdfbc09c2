package import JSON

/// Header fields, whose names have no case; where one was given twice, the last counts.
package struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    /// Values that are no text count as an empty one.
    private let members: [JSONObject.Member]

    package init(_ members: [JSONObject.Member] = []) {
        self.members = members
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        members = elements.map { JSONObject.Member(key: $0, value: .string($1)) }
    }

    /// `name` is in lower case.
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
