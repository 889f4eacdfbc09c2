/// A broken rule of the fleet, which the simulation must notice.
package enum FleetFault: Int, CaseIterable, Sendable {
    /// 1: a claim reads units without their locks, and fences compare only the epoch.
    case claimsWithoutLocks = 1
    /// 2: taking over is one statement, so it reads outcomes by a snapshot from before the lock.
    case takeoverReadsOldSnapshot
    /// 3: a worker trusts its lease by a clock that stops while the process is stopped.
    case trustsStoppedClock
    /// 4: a transaction is sent in two writes without a time limit, so a frozen one keeps its locks.
    case keepsLocksOfFrozenTransactions
    /// 5: a commit counts before its answer.
    case sendsBeforeAnswer
    /// 6: repeats are not released by a commit.
    case repeatsFromMemory
    /// 7: a commit in doubt is looked up by a `SELECT`, so it may still happen.
    case looksUpBySelect
    /// 8: a commit with a warning counts as answered.
    case acceptsWarnings
    /// 9: a late answer counts for a request that was released again.
    case acceptsOutdatedAnswers
    /// 10: message IDs are stored by another connection than the outcomes.
    case storesNamesApart
    /// 11: a new division counts at once.
    case forgetsOldSlices
    /// 12: permits return by time.
    case returnsPermitsByTime
    /// 13: the timeline is the one of the last checkpoint.
    case readsTimelineOfCheckpoint
    /// 14: units are claimed before every worker has confirmed the timeline.
    case claimsBeforeConfirmation
    /// 15: units are claimed before a standby has the registration.
    case ignoresStandby
    /// 16: a worker that may have sent is struck off, and nothing is held.
    case strikesOffSilently
    /// 17: transactions of the writer take a share lock first.
    case raisesShareLocks
    /// 18: the level of synchronous commits is a setting of the session, which a pool does not keep.
    case keepsSettingsInSession
    /// 10: the driver drops message IDs when their commit is answered, before a standby has it.
    case forgetsNamesEarly
    /// Recalls: the answer to a request for a slice does not have them.
    case hidesRecalls
    /// Recalls: units of recalled occurrences are claimed.
    case claimsIgnoreRecalls
    /// Recalls: a withdrawal takes units of workers whose lease has not ended.
    case withdrawsFromTheLiving
    /// Recalls: a withdrawal leaves epoch and token as they are.
    case withdrawsWithoutFence
    /// Recalls: units are withdrawn before every worker has confirmed the timeline.
    case withdrawsBeforeConfirmation
    /// Recalls: the division of an occurrence that has left the fleet counts after it is entrusted again.
    case storesFormerDivision
    /// Recalls: the answer to a request for a slice does not tell how many units others have taken.
    case hidesLosses
    /// 15: a promoted server whose standbys return later counts what it has as stored.
    case countsMissingStandby
}
