import FoundationEssentials

/// A fault of Herald's own, put in on purpose so that the crash harness can be seen to catch it.
///
/// Only the build of `make crash` has this module; there `HERALD_MUTANT` names the fault.
package enum Mutant: String, Sendable {
    /// The released mark is recorded after the requests above it were given to the transport.
    case ledgerAfterSend = "ledger-after-send"
    /// A request is recorded as accepted before its answer.
    case outcomeBeforeAnswer = "outcome-before-answer"
    /// What a crash left released is taken for never sent.
    case releasedIsIntended = "released-is-intended"
    /// A 503 is taken for proof that nothing was delivered.
    case unavailableIsUndelivered = "503-is-undelivered"
    /// A body that libcurl can send again by itself, and nobody who says no to that.
    case postFields = "post-fields"
    /// The writer's lock is granted to everybody.
    case noLock = "no-lock"
    /// The released mark counts for nothing when the state is read.
    case markIgnored = "mark-ignored"
    /// Commits are not synced.
    case synchronousNormal = "synchronous-normal"

    package var isOn: Bool { self == Self.chosen }

    private static let chosen: Mutant? = {
        guard let name = ProcessInfo.processInfo.environment["HERALD_MUTANT"] else { return nil }
        guard let mutant = Mutant(rawValue: name) else {
            preconditionFailure("HERALD_MUTANT names no mutant")
        }
        return mutant
    }()
}
