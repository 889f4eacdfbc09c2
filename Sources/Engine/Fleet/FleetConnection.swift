/// Performs the transactions of a lane, one at a time.
package protocol FleetConnection: Sendable {
    /// Performs a transaction, which leaves in one write together with its `COMMIT`.
    ///
    /// - Parameters:
    ///   - transaction: Its fences decide whether it changes something.
    ///   - notes: What the driver keeps of the units in it.
    /// - Returns: The answer, only if it is complete and without a warning.
    func perform(_ transaction: FleetTransaction, notes: [UnitNotes]) async -> FleetReply

    /// Recalls an occurrence, and stores why, unless an earlier reason is stored.
    ///
    /// Returns false if that is not certain.
    func stop(_ occurrence: OccurrenceNumber, because problem: String) async -> Bool
}

/// How a transaction of a worker ended.
package enum FleetReply: Sendable {
    case answered(FleetAnswer)
    /// `cause`: what the server or the connection reports.
    case failed(FleetFailure, cause: any Error)
}
