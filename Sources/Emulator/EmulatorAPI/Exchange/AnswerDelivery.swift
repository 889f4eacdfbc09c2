/// How an answer reaches its client.
package enum AnswerDelivery: Sendable, Hashable {
    case whole
    case delayed(milliseconds: Int)
    case slow(bytesPerSecond: Int)
    case truncated(afterBytes: Int)
    /// The connection stays open without an answer.
    case never
    /// TCP RST, which ends the whole connection over HTTP/2.
    case resetConnection
    /// RST_STREAM; over HTTP/1.1 the same as `resetConnection`.
    case resetStream(errorCode: UInt32)
    /// GOAWAY; over HTTP/1.1 `connection: close`, or a closed connection if there is no answer.
    case goAway(errorCode: UInt32, lastStream: GoAwayMark)
    /// The connection stays open, but nothing is read or answered on it from now on.
    case halfOpen
}

package enum GoAwayMark: Sendable, Hashable {
    /// This stream is answered, and later streams are not.
    case thisStream
    /// This stream is not answered.
    case beforeThisStream
}
