package import FCMWire

/// The `data` of a message: sorted by key, and each key once.
///
/// Where a key was given twice, the last value counts.
package struct DataEntries: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var entries: [DataEntry] = []

    package init() {}

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(unsorted: elements.map { DataEntry(key: $0, value: $1) })
    }

    /// Values that are no text count as an empty one.
    package init(_ members: [JSONObject.Member]) {
        self.init(
            unsorted: members.map {
                DataEntry(key: $0.key, value: $0.value.stringValue ?? "")
            }
        )
    }

    private init(unsorted entries: [DataEntry]) {
        guard zip(entries, entries.dropFirst()).allSatisfy({ $0.key < $1.key }) else {
            let sorted = entries.enumerated().sorted {
                ($0.element.key, $0.offset) < ($1.element.key, $1.offset)
            }
            for (_, entry) in sorted { append(entry) }
            return
        }
        self.entries = entries
    }

    /// These and others, which count where both have a key.
    func merging(_ others: [DataEntry]) -> DataEntries {
        others.isEmpty ? self : DataEntries(unsorted: entries + others)
    }

    package var isEmpty: Bool { entries.isEmpty }

    /// The UTF-8 bytes of keys and values.
    var payloadBytes: Int {
        entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }

    /// Adds an entry behind those with a lower key.
    private mutating func append(_ entry: DataEntry) {
        if let last = entries.last, last.key == entry.key {
            entries[entries.count - 1] = DataEntry(key: last.key, value: entry.value)
        } else {
            entries.append(entry)
        }
    }
}
