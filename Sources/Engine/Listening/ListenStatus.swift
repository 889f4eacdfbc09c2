package import Inbox
import Upstream

/// What a listener has done since it started.
package struct ListenStatus: Hashable, Sendable {
    /// Why messages are not received, although the process runs.
    package enum Problem: String, Hashable, Sendable, CaseIterable {
        /// No connection was open yet.
        case starting
        /// The server cannot be reached, or cuts connections.
        case unreachable
        /// The server's certificate is refused.
        case certificate
        /// The server refuses the sender ID or the server key.
        case credential
        /// The inbox does not store messages.
        case inbox
    }

    package private(set) var counts: [UpstreamTransport: StoredCounts] = [:]
    /// By name.
    package private(set) var refused: [UpstreamTransport: [String: Int]] = [:]
    package private(set) var acknowledged = 0
    package private(set) var opened = 0
    package private(set) var drained = 0
    package private(set) var failedCommits = 0
    package private(set) var ignored = 0
    /// By kind.
    package private(set) var ended: [String: Int] = [:]
    /// The codes with which the server refused what this side sent.
    package private(set) var refusedByServer: [String: Int] = [:]
    private var open: Set<ConnectionID> = []
    private var isStoreFailing = false
    private let usesConnections: Bool
    /// Why no connection is open.
    private var trouble = Problem.starting

    /// `usesConnections`: whether it receives over XMPP.
    package init(usesConnections: Bool) {
        self.usesConnections = usesConnections
    }

    package var openConnections: Int { open.count }

    /// Nil if messages can be received and stored.
    package var problem: Problem? {
        if isStoreFailing { return .inbox }
        return usesConnections && open.isEmpty ? trouble : nil
    }

    package mutating func receive(_ notice: UpstreamNotice) {
        switch notice {
        case .connection(let notice): receive(notice)
        case .refused(let refusal, let transport):
            refused[transport, default: [:]][refusal.name, default: 0] += 1
        case .refusedByServer(let refusal):
            let code = refusal.isDocumented ? refusal.code : "other"
            refusedByServer[code, default: 0] += 1
        case .stanzaError: refusedByServer["stanza_error", default: 0] += 1
        case .ignored: ignored += 1
        case .stored(let counts, let transport):
            self.counts[transport, default: StoredCounts()].add(counts)
            isStoreFailing = false
        case .acknowledged(let count): acknowledged += count
        case .storeFailure:
            failedCommits += 1
            isStoreFailing = true
        case .removalFailure: break
        }
    }

    private mutating func receive(_ notice: ConnectionSet<UpstreamMessage>.Notice) {
        switch notice {
        case .opened(let id):
            opened += 1
            open.insert(id)
        case .ended(let id, let end):
            open.remove(id)
            ended[end.name, default: 0] += 1
            switch end {
            case .closedHere: break
            case .cut, .unreachable: trouble = .unreachable
            case .untrusted: trouble = .certificate
            case .denied: trouble = .credential
            }
        case .draining(let id):
            drained += 1
            open.remove(id)
        case .tooManyUnacknowledged(let id), .blocked(let id): open.remove(id)
        case .storeFailed, .storeRecovered: break
        }
    }
}

extension ConnectionEnd {
    /// A stable word for metrics.
    fileprivate var name: String {
        switch self {
        case .closedHere: "closed"
        case .cut: "cut"
        case .unreachable: "unreachable"
        case .untrusted: "untrusted"
        case .denied: "denied"
        }
    }
}
