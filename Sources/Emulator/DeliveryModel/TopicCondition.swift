/// A Boolean expression over topics, such as `'a' in topics && ('b' in topics || !('c' in
/// topics))`.
///
/// Parentheses are evaluated first, then the rest from left to right. `&&` and `||` have the same
/// precedence (Firebase documentation, Send messages to topics).
package struct TopicCondition: Hashable, Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// `offset` is in UTF-8 bytes from the start of the expression.
        case malformed(offset: Int)
        case tooManyTopics
        /// The expression does not require any topic.
        case negationsOnly
    }

    /// Maximum number of different topics (Firebase documentation, Send messages to topics).
    package static let topicLimit = 5

    /// The expression as written.
    package let text: String
    /// The different topics, in order of first mention.
    package let topics: [TopicName]
    /// The truth table: bit `m` is the result for a device whose topics are exactly those whose
    /// index is set in `m`.
    private let truth: UInt32

    package init(_ text: String) throws(Failure) {
        self.text = text
        var parser = ConditionParser(text)
        truth = try parser.parse()
        topics = parser.topics
        guard parser.asksForATopic else { throw .negationsOnly }
    }

    /// Returns the result for a device that has the topics whose indices are set in `topics`.
    package func isTrue(ofTopics topics: UInt32) -> Bool {
        truth >> topics & 1 == 1
    }
}

/// Parses an expression directly into a truth table, without a syntax tree.
private struct ConditionParser {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var topics: [TopicName] = []
    private(set) var asksForATopic = false

    /// The truth tables of "has topic i".
    private static let columns: [UInt32] = [
        0xAAAA_AAAA, 0xCCCC_CCCC, 0xF0F0_F0F0, 0xFF00_FF00, 0xFFFF_0000,
    ]
    /// Maximum nesting, which protects the stack from hostile input.
    private static let depthLimit = 100

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(TopicCondition.Failure) -> UInt32 {
        let table = try expression(depth: 0, isNegated: false)
        guard position == bytes.count else { throw malformed }
        return table
    }

    private mutating func expression(
        depth: Int,
        isNegated: Bool
    ) throws(TopicCondition.Failure) -> UInt32 {
        var table = try operand(depth: depth, isNegated: isNegated)
        while true {
            if take("&&") {
                table &= try operand(depth: depth, isNegated: isNegated)
            } else if take("||") {
                table |= try operand(depth: depth, isNegated: isNegated)
            } else {
                return table
            }
        }
    }

    private mutating func operand(
        depth: Int,
        isNegated: Bool
    ) throws(TopicCondition.Failure) -> UInt32 {
        guard depth < Self.depthLimit else { throw malformed }
        if take("!") {
            return ~(try operand(depth: depth + 1, isNegated: !isNegated))
        }
        if take("(") {
            let table = try expression(depth: depth + 1, isNegated: isNegated)
            guard take(")") else { throw malformed }
            return table
        }
        asksForATopic = asksForATopic || !isNegated
        return try membership()
    }

    private mutating func membership() throws(TopicCondition.Failure) -> UInt32 {
        guard take("'"), let end = bytes[position...].firstIndex(of: UInt8(ascii: "'")),
            let topic = TopicName(String(decoding: bytes[position..<end], as: UTF8.self))
        else { throw malformed }
        position = end + 1
        guard take("in"), position < bytes.count, isSpace(bytes[position]), take("topics")
        else { throw malformed }
        return Self.columns[try index(of: topic)]
    }

    private mutating func index(of topic: TopicName) throws(TopicCondition.Failure) -> Int {
        if let index = topics.firstIndex(of: topic) { return index }
        guard topics.count < TopicCondition.topicLimit else { throw .tooManyTopics }
        topics.append(topic)
        return topics.count - 1
    }

    /// Consumes a token and the white space around it.
    private mutating func take(_ token: String) -> Bool {
        skipSpace()
        guard bytes[position...].starts(with: token.utf8) else { return false }
        position += token.utf8.count
        if token != "'" && token != "in" { skipSpace() }
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, isSpace(bytes[position]) { position += 1 }
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    private var malformed: TopicCondition.Failure { .malformed(offset: position) }
}
