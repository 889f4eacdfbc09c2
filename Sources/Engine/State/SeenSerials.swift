/// The highest serial that was seen of each state, and how far its history went.
///
/// A state that says less than was seen is an old copy of itself.
package struct SeenSerials: Hashable, Sendable {
    private var serials: [StateLineage: StateSerial] = [:]
    private var heads: [StateLineage: ChainHead] = [:]

    /// - Parameter text: A line each: a lineage, a serial, and a head of the history where one is
    ///   known, with blanks between them. Other lines say nothing.
    package init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let head = words.count == 3 ? ChainHead(String(words[2])) : nil
            guard words.count == 2 || head != nil, let number = Int64(words[1]), number >= 0 else {
                continue
            }
            let lineage = StateLineage(text: String(words[0]))
            raise(lineage, to: StateSerial(number: number))
            if let head { heads[lineage] = head }
        }
    }

    package subscript(lineage: StateLineage) -> StateSerial? { serials[lineage] }

    package func head(of lineage: StateLineage) -> ChainHead? { heads[lineage] }

    /// Keeps how far a history goes, in place of what was kept; nil forgets it.
    ///
    /// False where that is what was kept.
    @discardableResult
    package mutating func keep(_ head: ChainHead?, of lineage: StateLineage) -> Bool {
        guard heads[lineage] != head else { return false }
        heads[lineage] = head
        return true
    }

    /// False where as much was seen already.
    @discardableResult
    package mutating func raise(_ lineage: StateLineage, to serial: StateSerial) -> Bool {
        if let seen = serials[lineage], seen >= serial { return false }
        serials[lineage] = serial
        return true
    }

    package var text: String {
        serials.sorted { $0.key.text < $1.key.text }
            .map { lineage, serial in
                let head = heads[lineage].map { " \($0)" } ?? ""
                return "\(lineage) \(serial)\(head)\n"
            }
            .joined()
    }
}
