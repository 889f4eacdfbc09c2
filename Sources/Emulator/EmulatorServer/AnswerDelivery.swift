/// How an answer reaches its client.
enum AnswerDelivery: Sendable, Hashable {
    case whole
    case delayed(milliseconds: Int)
    case slow(bytesPerSecond: Int)
    case truncated(afterBytes: Int)
    /// The connection stays open, and no answer comes.
    case never
    /// TCP RST; over HTTP/2 it ends the whole connection.
    case resetConnection
    /// RST_STREAM; over HTTP/1.1 as `resetConnection`.
    case resetStream(errorCode: UInt32)
    /// GOAWAY; over HTTP/1.1 the answer says `connection: close`, and where there is none the
    /// connection is closed.
    case goAway(errorCode: UInt32, lastStream: GoAwayMark)
    /// The connection stays open, and nothing is read or answered on it any more.
    case halfOpen
}

enum GoAwayMark: Sendable, Hashable {
    /// This one is answered, later ones are not.
    case thisStream
    /// This one is not answered.
    case beforeThisStream
}
