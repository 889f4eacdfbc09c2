/// An inbox must not grow with what is sent: only its newest messages are remembered.
extension [ReceivedMessage] {
    /// How many are remembered; what is older stands in the request log.
    private static var limit: Int { 1_000 }

    /// What is remembered, oldest first.
    var newest: [ReceivedMessage] { count > Self.limit ? Array(suffix(Self.limit)) : self }

    /// Forgets the oldest once there are twice as many as are remembered.
    mutating func makeRoom() {
        if count >= 2 * Self.limit { removeFirst(count - Self.limit) }
    }
}
