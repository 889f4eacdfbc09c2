/// The highest known serial of each state, and the head of its history.
///
/// A state with a lower serial is an old copy.
package struct KnownSerials: Hashable, Sendable {
    private var serials: [StateLineage: StateSerial] = [:]
    private var heads: [StateLineage: ChainHead] = [:]

    /// - Parameter text: One line per state: a lineage, a serial and, if known, a head of the
    ///   history, separated by spaces. Other lines are ignored.
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

    /// Replaces the head of a history; nil removes it.
    ///
    /// Returns false if nothing changes.
    @discardableResult
    package mutating func keep(_ head: ChainHead?, of lineage: StateLineage) -> Bool {
        guard heads[lineage] != head else { return false }
        heads[lineage] = head
        return true
    }

    /// Returns false if an equal or higher serial is already known.
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
