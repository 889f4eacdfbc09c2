/// Recursive descent over the bytes of a condition.
///
/// Nesting is bounded, so that no text can exhaust the stack.
struct ConditionParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private(set) var mentions: [Condition.Mention] = []

    private static let maximumDepth = 64

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(ConditionError) -> Condition.Expression {
        let expression = try parseSequence()
        skipSpace()
        guard position == bytes.count else { throw expected("`&&`, `||` or the end") }
        return expression
    }

    private mutating func parseSequence() throws(ConditionError) -> Condition.Expression {
        var left = try parseOperand()
        while true {
            if take("&&") {
                left = .all(left, try parseOperand())
            } else if take("||") {
                left = .any(left, try parseOperand())
            } else {
                return left
            }
        }
    }

    private mutating func parseOperand() throws(ConditionError) -> Condition.Expression {
        skipSpace()
        let start = position
        if take("!") { throw ConditionError(problem: .negation, range: start..<position) }
        guard take("(") else { return try parseMembership() }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw ConditionError(problem: .tooDeep, range: start..<position)
        }
        let inner = try parseSequence()
        skipSpace()
        guard take(")") else {
            guard position == bytes.count else { throw expected("`&&`, `||` or `)`") }
            throw ConditionError(problem: .unclosedParenthesis, range: start..<start + 1)
        }
        return inner
    }

    private mutating func parseMembership() throws(ConditionError) -> Condition.Expression {
        guard take("'") else { throw expected("a topic in single quotes, `'NAME' in topics`") }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "'") { position += 1 }
        let range = start..<position
        guard take("'") else {
            throw ConditionError(problem: .expected("a closing `'`"), range: start - 1..<position)
        }
        let name = String(decoding: bytes[range], as: UTF8.self)
        guard let topic = Topic(name) else {
            throw ConditionError(problem: .invalidTopic(name), range: range)
        }
        guard takeWord("in"), takeWord("topics") else { throw expected("`in topics`") }
        mentions.append(Condition.Mention(topic: topic, range: range))
        return .subscribed(topic)
    }

    private mutating func take(_ symbol: StaticString) -> Bool {
        skipSpace()
        let symbol = symbol.withUTF8Buffer(Array.init)
        guard bytes[position...].starts(with: symbol) else { return false }
        position += symbol.count
        return true
    }

    private mutating func takeWord(_ word: StaticString) -> Bool {
        skipSpace()
        let start = position
        guard take(word) else { return false }
        if position < bytes.count, Topic.isNameByte(bytes[position]) {
            position = start
            return false
        }
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
            position += 1
        }
    }

    private func expected(_ what: String) -> ConditionError {
        ConditionError(
            problem: .expected(what),
            range: position..<min(position + 1, bytes.count)
        )
    }
}
