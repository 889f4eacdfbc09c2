/// The reason why a text is not JSON, in the wording of protobuf's JSON parser (protobuf,
/// `json_stream_parser.cc`), which Google's APIs include in their answers.
struct JSONProblem: Hashable {
    /// The problem, twenty bytes of context on each side, and a marker below.
    let text: String

    /// Returns nil if the text is JSON.
    init?(in bytes: [UInt8]) {
        var finder = JSONProblemFinder(bytes: bytes)
        guard let problem = finder.find() else { return nil }
        let place = finder.position
        let begin = max(0, place - 20)
        let end = min(bytes.count, place + 20)
        let context = String(decoding: bytes[begin..<end], as: UTF8.self)
        let indentation = String(repeating: " ", count: place - begin)
        text = "\(problem)\n\(context)\n\(indentation)^"
    }
}

/// Finds the first problem in a text.
private struct JSONProblemFinder {
    private struct Problem: Error {
        let text: String
    }

    private let bytes: [UInt8]
    private(set) var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func find() -> String? {
        do throws(Problem) {
            try value(depth: 0)
            skipSpace()
            guard position == bytes.count else {
                throw Problem(text: "Parsing terminated before end of input.")
            }
            return nil
        } catch {
            return error.text
        }
    }

    private mutating func value(depth: Int) throws(Problem) {
        guard depth < 100 else {
            throw Problem(text: "Message too deep. Max recursion depth reached for key")
        }
        skipSpace()
        switch peek {
        case nil: throw ended("Expected a value.")
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"):
            throw Problem(text: "Expected a value.")
        default:
            if !take("true"), !take("false"), !take("null") { try number() }
        }
    }

    private mutating func object(depth: Int) throws(Problem) {
        position += 1
        skipSpace()
        if take("}") { return }
        while true {
            skipSpace()
            guard let byte = peek else { throw ended("Expected an object key or }.") }
            guard byte == UInt8(ascii: "\"") else {
                throw Problem(text: "Expected an object key or }.")
            }
            try string()
            skipSpace()
            guard take(":") else { throw ended(or: "Expected : between key:value pair.") }
            try value(depth: depth + 1)
            skipSpace()
            if take("}") { return }
            guard take(",") else { throw ended(or: "Expected , or } after key:value pair.") }
        }
    }

    private mutating func array(depth: Int) throws(Problem) {
        position += 1
        skipSpace()
        if take("]") { return }
        while true {
            try value(depth: depth + 1)
            skipSpace()
            if take("]") { return }
            guard take(",") else { throw ended(or: "Expected , or ] after array value.") }
        }
    }

    private mutating func string() throws(Problem) {
        let start = position
        position += 1
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                try checkUTF8(from: start)
                return
            case UInt8(ascii: "\\"): try escape()
            case ..<0x20: throw Problem(text: "Unexpected token.")
            default: position += 1
            }
        }
        position = start
        throw Problem(text: "Closing quote expected in string.")
    }

    private mutating func checkUTF8(from start: Int) throws(Problem) {
        guard String(validating: bytes[start..<position], as: UTF8.self) == nil else { return }
        position = start
        throw Problem(text: "Encountered non UTF-8 code points.")
    }

    private mutating func escape() throws(Problem) {
        position += 1
        guard let byte = peek else { return }
        guard byte == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(byte) else {
                throw Problem(text: "Invalid escape sequence.")
            }
            position += 1
            return
        }
        let digits = bytes[position...].dropFirst().prefix(4)
        guard digits.count == 4,
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { throw Problem(text: "Invalid escape sequence.") }
        position += 5
    }

    private mutating func number() throws(Problem) {
        let start = position
        while let byte = peek, byte.isPartOfNumber { position += 1 }
        guard position > start else { throw Problem(text: "Unexpected token.") }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard Double(text)?.isFinite ?? false else {
            position = start
            throw Problem(text: "Unable to parse number.")
        }
    }

    private mutating func take(_ token: String) -> Bool {
        guard bytes[position...].starts(with: token.utf8) else { return false }
        position += token.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func ended(_ expected: String) -> Problem {
        Problem(text: "Unexpected end of string. " + expected)
    }

    private func ended(or expected: String) -> Problem {
        peek == nil ? ended(expected) : Problem(text: expected)
    }
}

extension UInt8 {
    fileprivate var isPartOfNumber: Bool {
        (0x30...0x39).contains(self) || "+-.eE".utf8.contains(self)
    }
}
