/// A recursive descent parser over the bytes of a condition.
///
/// Nesting and length are limited, so that no text can exhaust the stack.
struct ConditionParser {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    private(set) var mentions: [Condition.Mention] = []
    private(set) var negations: [Range<Int>] = []
    /// Whether a chain contains both operators.
    private(set) var mixesOperators = false

    /// The maximum nesting of parentheses and `!`.
    private static let maximumDepth = 64
    private static let maximumMentions = 1_000

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(ConditionError) -> ConditionSyntax {
        let syntax = try parseSequence()
        skipSpace()
        guard position == bytes.count else { throw expected("`&&`, `||` or the end") }
        return syntax
    }

    private mutating func parseSequence() throws(ConditionError) -> ConditionSyntax {
        let first = try parseOperand()
        var links: [ConditionSyntax.Chain.Link] = []
        while let symbol = takeOperator() {
            let range = position - symbol.rawValue.utf8.count..<position
            links.append(
                ConditionSyntax.Chain.Link(
                    symbol: symbol,
                    range: range,
                    operand: try parseOperand()
                )
            )
        }
        guard !links.isEmpty else { return first }
        let chain = ConditionSyntax.Chain(first: first, links: links)
        if chain.firstMixed != nil { mixesOperators = true }
        return ConditionSyntax(range: chain.range, form: .chain(chain))
    }

    private mutating func takeOperator() -> ConditionSyntax.Operator? {
        if take("&&") { return .and }
        return take("||") ? .or : nil
    }

    private mutating func parseOperand() throws(ConditionError) -> ConditionSyntax {
        skipSpace()
        let start = position
        depth += 1
        defer { depth -= 1 }
        if take("!") {
            try checkDepth(start)
            negations.append(start..<position)
            let operand = try parseOperand()
            return ConditionSyntax(
                range: start..<operand.range.upperBound,
                form: .negation(operand)
            )
        }
        guard take("(") else { return try parseMembership() }
        try checkDepth(start)
        let inner = try parseSequence()
        skipSpace()
        guard take(")") else {
            guard position == bytes.count else { throw expected("`&&`, `||` or `)`") }
            throw ConditionError(problem: .unclosedParenthesis, range: start..<start + 1)
        }
        return ConditionSyntax(range: start..<position, form: inner.form)
    }

    private func checkDepth(_ start: Int) throws(ConditionError) {
        guard depth <= Self.maximumDepth else {
            throw ConditionError(problem: .tooDeep, range: start..<start + 1)
        }
    }

    private mutating func parseMembership() throws(ConditionError) -> ConditionSyntax {
        let begin = position
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
        guard mentions.count < Self.maximumMentions else {
            throw ConditionError(problem: .tooLong, range: range)
        }
        mentions.append(Condition.Mention(topic: topic, range: range))
        return ConditionSyntax(range: begin..<position, form: .mention(topic))
    }

    private mutating func take(_ symbol: StaticString) -> Bool {
        skipSpace()
        return symbol.withUTF8Buffer { symbol in
            guard symbol.count <= bytes.count - position else { return false }
            for place in symbol.indices where bytes[position + place] != symbol[place] {
                return false
            }
            position += symbol.count
            return true
        }
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
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    /// Points at all bytes of the next character.
    private func expected(_ what: String) -> ConditionError {
        let next = bytes[position...].dropFirst().prefix { $0 & 0b1100_0000 == 0b1000_0000 }
        let end = min(position + 1 + next.count, bytes.count)
        return ConditionError(problem: .expected(what), range: position..<end)
    }
}
