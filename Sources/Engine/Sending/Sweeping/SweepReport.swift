/// The result of checking the registrations of a list with FCM.
package struct SweepReport: Hashable, Sendable {
    /// The answers about registrations.
    package struct Tally: Hashable, Sendable {
        /// FCM would accept messages to them.
        package fileprivate(set) var valid = 0
        /// FCM or APNs no longer knows them.
        package fileprivate(set) var unregistered = 0
        /// They are not registrations.
        package fileprivate(set) var invalid = 0
        /// They belong to another Firebase project.
        package fileprivate(set) var mismatched = 0
        /// FCM refused them for another reason.
        package fileprivate(set) var refused = 0

        package init() {}

        var answered: Int { valid + unregistered + invalid + mismatched + refused }
    }

    /// Number of registrations in the list.
    package let count: Int
    /// Number of registrations that were dead before, which are not checked.
    package let skipped: Int
    package let tally: Tally
    /// Number of registrations that were recorded as dead.
    package let recorded: Int
    package let end: DispatchMachine.End

    package init(count: Int, skipped: Int, tally: Tally, recorded: Int, end: DispatchMachine.End) {
        self.count = count
        self.skipped = skipped
        self.tally = tally
        self.recorded = recorded
        self.end = end
    }

    /// Number of registrations without a conclusive answer.
    package var unanswered: Int { count - skipped - tally.answered }
}

extension SweepReport.Tally {
    /// Counts a refused registration.
    ///
    /// `isInvalid`: whether FCM refused the registration, not the message.
    mutating func add(_ rejection: Rejection, isInvalid: Bool) {
        switch rejection {
        case .unregistered, .apnsUnregistered: unregistered += 1
        case .senderIDMismatch: mismatched += 1
        case .invalidArgument where isInvalid: invalid += 1
        case .invalidArgument, .thirdPartyAuthError, .apnsTooManyRequests: refused += 1
        }
    }

    mutating func addValid() { valid += 1 }
}
