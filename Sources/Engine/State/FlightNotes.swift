/// Notes about the requests of one work unit, in memory that the kernel keeps when the process ends.
///
/// The notes are not synced: they survive the end of the process, but not of the machine. After a
/// killed process they show which released requests were not written and which were answered.
package protocol FlightNotes: AnyObject, Sendable {
    /// Notes the latest event of a request; any thread may call it, and it never waits for the disk.
    func note(_ event: FlightEvent, of request: Int)
}

/// What happened to a request.
package enum FlightEvent: Hashable, Sendable {
    /// Its first byte is about to be passed to the connection; `repeatedAfter` is the reason of an
    /// earlier attempt with an unknown outcome.
    case written(repeatedAfter: String?)
    case answered(status: Int, body: [UInt8])
    /// The server cannot have seen this attempt.
    case unsent
    /// It may have been sent, and there is no answer.
    case unanswered(reason: String)
}

/// The latest event of a request that was written at least once.
package struct FlightRecord: Hashable, Sendable {
    package let event: FlightEvent
    /// The reason of an earlier attempt with an unknown outcome.
    package let cause: String?

    package init(event: FlightEvent, cause: String?) {
        self.event = event
        self.cause = cause
    }
}
