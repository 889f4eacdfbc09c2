/// The highest serial that was seen of each state.
///
/// A state that says less than was seen is an old copy of itself.
package struct SeenSerials: Hashable, Sendable {
    private var serials: [StateLineage: StateSerial] = [:]

    /// - Parameter text: A line each: a lineage, a blank, a serial. Other lines say nothing.
    package init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Int64(words[1]), number >= 0 else { continue }
            raise(StateLineage(text: String(words[0])), to: StateSerial(number: number))
        }
    }

    package subscript(lineage: StateLineage) -> StateSerial? { serials[lineage] }

    /// False where as much was seen already.
    @discardableResult
    package mutating func raise(_ lineage: StateLineage, to serial: StateSerial) -> Bool {
        if let seen = serials[lineage], seen >= serial { return false }
        serials[lineage] = serial
        return true
    }

    package var text: String {
        serials.sorted { $0.key.text < $1.key.text }
            .map { "\($0.key) \($0.value)\n" }
            .joined()
    }
}
