import FoundationEssentials
import State

/// What a store knows about failovers of its server.
struct FailoverState {
    /// The timeline that has all commits about what this process sent; nil before it had the lock.
    var timeline: Int64?
    /// Whether the server has fewer commits of this process than were answered, on any timeline.
    var isSetBack = false
    /// Why nothing more is written under the present lock; nil if that is not so.
    private(set) var loss: StateStoreError?
    /// Whether the store records again what this process sent.
    var isRestoring = false
    /// The process that has the lock or had it last.
    var holder: Worker?
    /// Until when no commit waits for a standby, because standbys had not stored the last one.
    var hurriesUntil: ContinuousClock.Instant = .now
    /// The tokens of the last locks that this process had, the newest last.
    private(set) var tokens: [Data] = []

    private static let keptTokens = 8

    /// The timeline that has everything that this process sent, 0 if none has; nil before it had the lock.
    var confirmed: Int64? { isSetBack ? 0 : timeline }

    /// Whether the lock may be released, because nothing that this process sent is lost.
    var mayRelease: Bool {
        if case .server(_, .lostCommits(isRestored: false)) = loss { false } else { true }
    }

    /// Whether the server may lack commits of this process.
    ///
    /// `actual`: the timeline of the server.
    func mayLack(on actual: Int64) -> Bool {
        isSetBack || timeline.map { $0 != actual } ?? false
    }

    /// Notes that a server with this timeline has everything that this process sent.
    mutating func confirm(_ actual: Int64) {
        timeline = actual
        isSetBack = false
    }

    mutating func lose(_ loss: StateStoreError) { self.loss = loss }

    /// Notes the lock of a new holder.
    mutating func lock(with token: Data, for worker: Worker) {
        loss = nil
        holder = worker
        guard tokens.last != token else { return }
        tokens = tokens.suffix(Self.keptTokens - 1) + [token]
    }

    mutating func unlock() { loss = nil }
}
