/// An inbox must not grow with what is sent: only its newest messages are remembered.
extension [ReceivedMessage] {
    /// How many are remembered; what is older stands in the request log.
    private static var limit: Int { 1_000 }

    /// What is remembered, oldest first.
    var newest: [ReceivedMessage] { count > Self.limit ? Array(suffix(Self.limit)) : self }

    /// Forgets the oldest once there are twice as many as are remembered; returns how many.
    mutating func makeRoom() -> Int {
        guard count >= 2 * Self.limit else { return 0 }
        let excess = count - Self.limit
        removeFirst(excess)
        return excess
    }
}
