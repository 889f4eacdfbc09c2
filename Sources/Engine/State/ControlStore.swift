package import CampaignModel

/// Controls who writes and what is sent: the writer's lock, pauses, resolutions and holds.
package protocol ControlStore: Sendable {
    /// Cheap: a dispatcher reads it at least once a second.
    func pauses() async throws(StateStoreError) -> [Pause]

    /// Needs no lock; false if that scope is paused already.
    func pause(_ pause: Pause) async throws(StateStoreError) -> Bool

    /// Needs no lock; false if that scope was not paused. `lifted`: the user who lifts it, and the
    /// time.
    func liftPause(_ lifted: Pause) async throws(StateStoreError) -> Bool

    /// Requests a resolution from the writer; needs no lock. False if the number of unknown
    /// requests differs from that in the resolution, or if one was already requested.
    func request(_ resolution: RequestedResolution) async throws(StateStoreError) -> Bool

    /// The requested resolutions that were not performed yet, oldest first.
    func requestedResolutions() async throws(StateStoreError) -> [RequestedResolution]

    /// Requests that an occurrence is taken back; needs no lock.
    ///
    /// Until the occurrence has ended, its campaign is paused.
    ///
    /// - Returns: False if that was already requested.
    /// - Throws: An error if the occurrence has not begun, or if its list is not stored.
    func request(_ recall: RequestedRecall) async throws(StateStoreError) -> Bool

    /// Gives the unknown requests of an occurrence another outcome, lifts its hold, and removes the
    /// requested resolution. The outcome is accepted ("resolved: sent"), returned, or cancelled
    /// ("resolved: dropped").
    ///
    /// A finished occurrence is in progress again if its requests are resent. If the number of
    /// unknown requests differs from that in the resolution, only the requested resolution is
    /// removed.
    ///
    /// - Returns: The number of requests per new outcome.
    func perform(
        _ resolution: RequestedResolution,
        in run: RunID
    ) async throws(StateStoreError) -> OutcomeTally

    /// Holds an occurrence, or lifts its hold.
    func hold(_ occurrence: OccurrenceID, with hold: Hold?) async throws(StateStoreError)

    /// Changes the record of an occurrence's rollout; needs no lock.
    ///
    /// If a person continues it, the lifetime of the rest counts from then.
    ///
    /// - Returns: The record; nil if the occurrence is not in progress, has no rollout, or if the change is not
    ///   possible.
    func change(
        _ occurrence: OccurrenceID,
        by change: RolloutChange
    ) async throws(StateStoreError) -> RolloutRecord?

    /// Records an operation without a run in the history; needs no lock.
    func note(_ deed: Worker) async throws(StateStoreError)

    /// The current holder of the lock; does not take the lock.
    func currentWriter() async throws(StateStoreError) -> CurrentWriter

    /// Whether another process waits for the lock in `lock(for:waiting:)`; does not take the lock.
    ///
    /// Cheap: a service asks once a second while it holds the lock. False if that cannot be told.
    func hasWaitingWriter() async -> Bool

    /// Waits until this process is the only writer.
    ///
    /// With a waiting time of zero, it makes one attempt and does not wait in the queue.
    ///
    /// - Throws: `.locked` with the holder when the time is up.
    func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError)

    func unlock() async
}
