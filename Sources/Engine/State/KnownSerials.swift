/// The highest known serial of each state, and the head of its history.
///
/// A state with a lower serial is an old copy.
package struct KnownSerials: Hashable, Sendable {
    private var serials: [StateLineage: StateSerial] = [:]
    private var heads: [StateLineage: ChainHead] = [:]
    /// The keys are paths or addresses of servers, encoded without spaces as in `text`.
    private var places: [String: StateLineage] = [:]

    /// - Parameter text: One line per state: a lineage, a serial and, if known, a head of the
    ///   history, separated by spaces. Other lines are ignored.
    package init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 3, words[0] == "at", words[2].contains("/") {
                places[String(words[2])] = StateLineage(text: String(words[1]))
                continue
            }
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

    /// The state that was last seen at an absolute path or an address of a server.
    package func lineage(at path: String) -> StateLineage? { places[path.withoutBlanks] }

    /// Records which state is at an absolute path or an address of a server; nil removes the record.
    ///
    /// - Returns: False if nothing changes.
    @discardableResult
    package mutating func place(_ lineage: StateLineage?, at path: String) -> Bool {
        let path = path.withoutBlanks
        guard places[path] != lineage else { return false }
        places[path] = lineage
        return true
    }

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
        let states = serials.sorted { $0.key.text < $1.key.text }
            .map { lineage, serial in
                let head = heads[lineage].map { " \($0)" } ?? ""
                return "\(lineage) \(serial)\(head)\n"
            }
        let seen = places.sorted { $0.key < $1.key }
            .map { path, lineage in "at \(lineage) \(path)\n" }
        return (states + seen).joined()
    }
}

extension String {
    /// Percent-encodes spaces, control characters and `%`, so that the result is one word.
    fileprivate var withoutBlanks: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            guard scalar == "%" || scalar.properties.isWhitespace || scalar.value < 32 else {
                return text.unicodeScalars.append(scalar)
            }
            for byte in String(scalar).utf8 {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
