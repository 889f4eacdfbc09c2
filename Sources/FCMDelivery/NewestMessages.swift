/// The newest messages that a device received: an inbox must not grow with what is sent.
struct NewestMessages {
    /// How many are remembered; what is older stands in the request log.
    static let limit = 1_000

    /// Up to twice as many as are remembered, so that forgetting is rare.
    private var messages: [ReceivedMessage] = []

    /// Oldest first.
    var all: [ReceivedMessage] { Array(messages.suffix(Self.limit)) }

    mutating func append(_ message: ReceivedMessage) {
        if messages.count == 2 * Self.limit { messages.removeFirst(Self.limit) }
        messages.append(message)
    }
}
