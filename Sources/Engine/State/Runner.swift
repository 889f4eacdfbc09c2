package import Time

/// A process that sends what is due from a state, or a standby of it.
package struct Runner: Hashable, Sendable {
    package let command: String
    package let host: String
    package let processID: Int32
    package let since: Instant
    package let lastSeen: Instant
    /// Whether it reads lists with `read: at_send`.
    package let readsLists: Bool
    /// Whether it waits as a standby until the active service ends.
    package let isStandby: Bool

    package init(
        command: String,
        host: String,
        processID: Int32,
        since: Instant,
        lastSeen: Instant,
        readsLists: Bool,
        isStandby: Bool = false
    ) {
        self.command = command
        self.host = host
        self.processID = processID
        self.since = since
        self.lastSeen = lastSeen
        self.readsLists = readsLists
        self.isStandby = isStandby
    }
}

/// Records which processes send what is due, so that an apply can warn if there is none.
package protocol RunnerStore: Sendable {
    /// Records that a process was seen; needs no lock.
    ///
    /// A process is identified by its host, number and command. Only the processes that were seen
    /// last are kept.
    ///
    /// - Returns: The versions of the state just before and after the record.
    @discardableResult
    func note(
        _ runner: Runner
    ) async throws(StateStoreError) -> (before: StateVersion, after: StateVersion)

    /// The processes that were seen last, the latest first.
    func runners() async throws(StateStoreError) -> [Runner]
}
