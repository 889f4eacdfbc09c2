package import Inbox
package import State
package import Upstream

/// What a listener reports to the log and the metrics.
package enum UpstreamNotice: Hashable, Sendable {
    case connection(ConnectionSet<UpstreamMessage>.Notice)
    /// A message was not stored, and stays unacknowledged.
    case refused(Refusal, over: UpstreamTransport)
    /// The server refused what this side sent.
    case refusedByServer(ServerStanza.Refusal)
    case stanzaError(code: String, text: String)
    /// A stanza without a meaning for an app server.
    case ignored(type: String)
    /// One commit stored these messages.
    case stored(StoredCounts, over: UpstreamTransport)
    case acknowledged(Int)
    /// The inbox could not store messages.
    case storeFailure(StateStoreError)
    /// The inbox could not remove old messages.
    case removalFailure(StateStoreError)

    /// Why a message is refused, as a stable word.
    package struct Refusal: Hashable, Sendable {
        package let name: String

        package init(name: String) {
            self.name = name
        }
    }
}

/// The results of a commit.
package struct StoredCounts: Hashable, Sendable {
    package private(set) var stored = 0
    package private(set) var duplicates = 0
    package private(set) var conflicts = 0

    package init() {}

    package init(_ results: [InboxResult]) {
        for result in results { count(result) }
    }

    package mutating func count(_ result: InboxResult) {
        switch result {
        case .stored: stored += 1
        case .duplicate: duplicates += 1
        case .conflictingContent: conflicts += 1
        }
    }

    package mutating func add(_ other: StoredCounts) {
        stored += other.stored
        duplicates += other.duplicates
        conflicts += other.conflicts
    }
}
