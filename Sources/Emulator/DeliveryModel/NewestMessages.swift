/// An inbox stores only its newest messages, so that its size is bounded.
extension [ReceivedMessage] {
    /// Maximum number of stored messages; the request log has older messages.
    private static var limit: Int { 1_000 }

    /// The stored messages, oldest first.
    var newest: [ReceivedMessage] { count > Self.limit ? Array(suffix(Self.limit)) : self }

    /// Removes the oldest messages when twice the limit is stored, and returns the number of
    /// removed messages.
    mutating func makeRoom() -> Int {
        guard count >= 2 * Self.limit else { return 0 }
        let excess = count - Self.limit
        removeFirst(excess)
        return excess
    }
}
