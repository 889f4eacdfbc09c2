/// Requests of one unit to send.
package struct SendOrder: Hashable, Sendable {
    package let unit: WorkUnitID
    /// The claim under which they were released.
    package let fence: ClaimFence
    /// Counted from the first request of the unit.
    package let requests: Range<Int>
    package let attempt: Int

    package init(
        _ requests: Range<Int>,
        of unit: WorkUnitID,
        fence: ClaimFence,
        attempt: Int
    ) {
        self.unit = unit
        self.fence = fence
        self.requests = requests
        self.attempt = attempt
    }
}

/// How one request of an order ended.
package struct SendResult: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        case accepted
        case rejected
        /// FCM did not take it, and it is repeated after this long.
        case refused(after: Duration, isThrottled: Bool)
        /// FCM may have taken it; it is repeated after this long if the policy of its campaign allows that,
        /// otherwise never.
        case unknown(repeatedAfter: Duration?)
        /// It did not leave the process.
        case unwritten
    }

    package let unit: WorkUnitID
    package let fence: ClaimFence
    package let request: Int
    package let attempt: Int
    package let answer: Answer

    package init(_ answer: Answer, to request: Int, of order: SendOrder) {
        unit = order.unit
        fence = order.fence
        self.request = request
        attempt = order.attempt
        self.answer = answer
    }
}
