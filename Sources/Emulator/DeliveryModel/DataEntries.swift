package import JSON

/// The `data` of a message, with unique keys.
///
/// If a key is repeated, its last value counts.
package struct DataEntries: Sendable, ExpressibleByDictionaryLiteral {
    /// The members as written; a value that is not a string counts as an empty string.
    private let members: [JSONObject.Member]

    package init(_ members: [JSONObject.Member] = []) {
        self.members = members
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        members = elements.map { JSONObject.Member(key: $0, value: .string($1)) }
    }

    package var isEmpty: Bool { members.isEmpty }

    /// The number of UTF-8 bytes of keys and values.
    var payloadBytes: Int {
        guard isKnownToBeUnique else { return sorted.reduce(0) { $0 + $1.payloadBytes } }
        return members.reduce(0) { $0 + $1.key.utf8.count + $1.text.utf8.count }
    }

    /// The entries, sorted by key.
    var sorted: [DataEntry] {
        let entries = members.map { DataEntry(key: $0.key, value: $0.text) }
        return isKnownToBeUnique
            ? entries.sorted { $0.key < $1.key } : Self.withoutRepetition(entries)
    }

    /// Returns these entries merged with `others`, whose values win if both have a key.
    func merging(_ others: [JSONObject.Member]) -> DataEntries {
        others.isEmpty ? self : DataEntries(members + others)
    }

    /// Whether all keys are known to differ.
    ///
    /// Compares up to 16 keys pairwise. Larger sets are sorted instead, so this returns false for
    /// them.
    private var isKnownToBeUnique: Bool {
        guard members.count <= 16 else { return false }
        return members.indices.allSatisfy { index in
            let key = members[index].key
            return !members[..<index].contains {
                $0.key.utf8.count == key.utf8.count && $0.key == key
            }
        }
    }

    private static func withoutRepetition(_ entries: [DataEntry]) -> [DataEntry] {
        let sorted = entries.enumerated().sorted {
            ($0.element.key, $0.offset) < ($1.element.key, $1.offset)
        }
        return sorted.reduce(into: []) { unique, next in
            let entry = next.element
            if let last = unique.last, last.key == entry.key {
                unique[unique.count - 1] = DataEntry(key: last.key, value: entry.value)
            } else {
                unique.append(entry)
            }
        }
    }
}

extension JSONObject.Member {
    fileprivate var text: String { value.stringValue ?? "" }
}

extension DataEntry {
    fileprivate var payloadBytes: Int { key.utf8.count + value.utf8.count }
}
