package import FCMWire

/// Header fields by their names in lower case; where one was given twice, the last counts.
package struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    private var fields: [(name: String, value: String)]

    package init() {
        fields = []
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.lowercased(), value: $1) }
    }

    /// Values that are no text count as an empty one.
    package init(_ members: [JSONObject.Member]) {
        fields = members.map {
            (name: $0.key.inLowerCase, value: $0.value.stringValue ?? "")
        }
    }

    /// `name` is in lower case.
    package subscript(name: String) -> String? {
        fields.last { $0.name == name }?.value
    }
}

extension String {
    /// The text itself where nothing in it can have another case.
    fileprivate var inLowerCase: String {
        let isLower = utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
        return isLower ? self : lowercased()
    }
}
