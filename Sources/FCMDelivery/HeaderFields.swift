package import FCMWire

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
        members.last { $0.key.isInAnyCase(name) }.map { $0.value.stringValue ?? "" }
    }
}

extension String {
    fileprivate func isInAnyCase(_ name: String) -> Bool {
        if utf8.count == name.utf8.count, self == name { return true }
        return utf8.contains { $0 >= 0x80 || (0x41...0x5A).contains($0) } && lowercased() == name
    }
}
