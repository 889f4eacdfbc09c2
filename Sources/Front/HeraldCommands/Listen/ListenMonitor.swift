import Listening
import Presentation
import Synchronization

/// Counts and logs what a listener reports.
///
/// A class, because links, commits and requests report to it from their threads.
final class ListenMonitor: Sendable {
    fileprivate struct Content {
        var status: ListenStatus
        /// When a kind of line was last written, so that a flood of messages is none of lines.
        var lines: [UpstreamNotice: ContinuousClock.Instant] = [:]
    }

    let log: ServiceLog
    private let content: Mutex<Content>

    /// Equal lines have at least this distance.
    private static let distance = Duration.seconds(10)
    private static let mostKinds = 1_024

    init(_ log: ServiceLog, usesConnections: Bool) {
        self.log = log
        content = Mutex(Content(status: ListenStatus(usesConnections: usesConnections)))
    }

    var status: ListenStatus { content.withLock { $0.status } }

    func receive(_ notice: UpstreamNotice) {
        let isNew = content.withLock { content in
            content.status.receive(notice)
            return content.isNew(notice, within: Self.distance, most: Self.mostKinds)
        }
        guard isNew, let entry = ServiceLogEntry.listener(notice) else { return }
        log.note(entry)
    }
}

extension ListenMonitor.Content {
    fileprivate mutating func isNew(
        _ notice: UpstreamNotice,
        within distance: Duration,
        most: Int
    ) -> Bool {
        switch notice {
        case .stored, .acknowledged, .connection, .removalFailure: return true
        case .refused, .refusedByServer, .stanzaError, .ignored, .storeFailure: break
        }
        let now = ContinuousClock.now
        if let last = lines[notice], last.duration(to: now) < distance { return false }
        if lines.count >= most { lines = [:] }
        lines[notice] = now
        return true
    }
}
