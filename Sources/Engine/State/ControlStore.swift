package import CampaignModel

/// Controls who writes and what is sent: the writer's lock, pauses, resolutions and holds.
package protocol ControlStore: Sendable {
    /// Cheap: a dispatcher reads it at least once a second.
    func pauses() async throws(StateStoreError) -> [Pause]

    /// Needs no lock; false if that scope is paused already.
    func pause(_ pause: Pause) async throws(StateStoreError) -> Bool

    /// Needs no lock; false if that scope was not paused. `lifted` names who lifts it and when.
    func liftPause(_ lifted: Pause) async throws(StateStoreError) -> Bool

    /// Asks the writer for a resolution; needs no lock. False if another number of requests is
    /// unknown than the resolution names, or one was requested already.
    func request(_ resolution: RequestedResolution) async throws(StateStoreError) -> Bool

    /// The resolutions that were requested and not performed, the oldest first.
    func requestedResolutions() async throws(StateStoreError) -> [RequestedResolution]

    /// Gives the unknown requests of an occurrence another outcome, lifts its hold, and thereby
    /// fulfils the request for it: accepted ("resolved: sent"), returned, or cancelled
    /// ("resolved: dropped").
    ///
    /// A finished occurrence of which something is sent again is dispatching again. If another
    /// number of requests is unknown than the resolution names, only the request for it is removed.
    ///
    /// - Returns: how many requests got which outcome.
    func perform(
        _ resolution: RequestedResolution,
        in run: RunID
    ) async throws(StateStoreError) -> OutcomeTally

    /// Holds an occurrence, or lifts its hold.
    func hold(_ occurrence: OccurrenceID, with hold: Hold?) async throws(StateStoreError)

    /// Enters something into the history that was done without a run; needs no lock.
    func note(_ deed: Worker) async throws(StateStoreError)

    /// The current holder of the lock; does not take the lock.
    func currentWriter() async throws(StateStoreError) -> CurrentWriter

    /// Waits until this process is the only writer.
    ///
    /// - Throws: `.locked` with the holder when the time is up.
    func lock(for worker: Worker, waiting: Duration) async throws(StateStoreError)

    func unlock() async
}
