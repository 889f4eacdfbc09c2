internal import CLibCurl
internal import HTTPTransport

/// The loop of the transport's thread: takes submissions, runs libcurl and resumes callers.
struct TransferLoop: ~Copyable {
    /// The submissions of one origin.
    struct OriginQueue {
        var running = 0
        var waiting = SubmissionQueue()
    }

    let multi: MultiHandle
    private let mailbox: TransportInbox
    private var origins = OriginMemory()
    let configuration: CurlTransport.Configuration
    var lanes: [Origin: OriginQueue] = [:]
    private var running: [SubmissionID: (transfer: Transfer, origin: Origin)] = [:]
    private var idle: [Transfer] = []
    /// Connections that use HTTP/2 or are being opened for it.
    var links: [HTTP2Link] = []
    /// Origins that chose HTTP/1.1 although both were offered.
    var olderOrigins: Set<Origin> = []
    var lastLink: UInt64 = .max
    var openings = OpeningInterval()
    /// The read buffer for all links.
    let inbox = LinkInbox()

    /// Fails if libcurl cannot create a multi handle.
    init(
        mailbox: TransportInbox,
        configuration: CurlTransport.Configuration
    ) throws(TransportError) {
        let multi = try MultiHandle()
        multi.keepConnections(configuration.maximumConnections * 2)
        self.multi = multi
        self.mailbox = mailbox
        self.configuration = configuration
    }

    /// Returns when the mailbox is closed and every caller has been resumed.
    mutating func run() {
        mailbox.hang(multi.bell)
        while let events = mailbox.takeEvents() {
            for event in events { receive(event) }
            guard multi.perform() == CURLM_OK else { return end(.other, detail: "libcurl failed") }
            resumeEnded()
            pumpLinks()
            expireWaiting()
            mailbox.landings.deliver()
            guard
                multi.wait(for: socketsOfLinks, milliseconds: timeToNextExpiry()) == CURLM_OK
            else {
                return end(.other, detail: "libcurl failed")
            }
        }
        end(.cancelled, detail: "the transport was shut down")
    }

    private mutating func receive(_ event: TransportInbox.Event) {
        switch event {
        case .cancellation(let ids): cancel(ids)
        case .submissions(let submissions):
            var asked: [Origin] = []
            for submission in submissions {
                guard let origin = origins.origin(of: submission.url) else {
                    submission.fail(.notSent(.badURL, detail: "not an absolute http or https URL"))
                    continue
                }
                lanes[origin, default: OriginQueue()].waiting.append(submission)
                if asked.last != origin { asked.append(origin) }
            }
            for origin in asked { startWaiting(at: origin) }
        }
    }

    private mutating func cancel(_ ids: ClosedRange<SubmissionID>) {
        // Copy the keys: if the loop iterated over the dictionary itself, `remove` would copy it.
        for origin in Array(lanes.keys) {
            for submission in lanes[origin]?.waiting.remove(ids) ?? [] {
                submission.fail(.cancelledBeforeSending)
            }
        }
        for link in links { link.cancel(ids) }
        for (id, entry) in running.filter({ ids.contains($0.key) }) {
            multi.remove(entry.transfer.easy)
            entry.transfer.abandon(.cancelled, detail: "its task was cancelled")
            release(entry.transfer, id: id, origin: entry.origin)
        }
    }

    private mutating func resumeEnded() {
        while let (transfer, result) = multi.nextEnded() {
            if let link = links.first(where: { $0.transfer === transfer }) {
                settle(link, with: result)
                continue
            }
            multi.remove(transfer.easy)
            guard let id = transfer.submission?.id, let origin = running[id]?.origin else {
                continue
            }
            transfer.end(with: result)
            release(transfer, id: id, origin: origin)
        }
    }

    private mutating func release(_ transfer: Transfer, id: SubmissionID, origin: Origin) {
        running[id] = nil
        if idle.count < configuration.maximumConnections { idle.append(transfer) }
        lanes[origin]?.running -= 1
        startWaiting(at: origin)
    }
}

/// Starts submissions that wait for a connection.
extension TransferLoop {
    mutating func startWaiting(at origin: Origin) {
        if origin.isSecure, !olderOrigins.contains(origin) { return multiplex(at: origin) }
        guard var lane = lanes.removeValue(forKey: origin) else { return }
        while lane.running < configuration.maximumConnections,
            let submission = lane.waiting.popFirst()
        {
            if start(submission, at: origin) { lane.running += 1 }
        }
        if lane.running > 0 || !lane.waiting.isEmpty { lanes[origin] = lane }
    }

    /// Returns false if the submission has failed.
    private mutating func start(_ submission: Submission, at origin: Origin) -> Bool {
        let timeLeft = ContinuousClock.now.duration(to: submission.deadline)
        guard timeLeft > .zero else {
            submission.fail(.timedOutInLine)
            return false
        }
        do throws(TransportError) {
            let transfer = try idleTransfer()
            try transfer.prepare(submission, timeLeft: timeLeft)
            guard multi.add(transfer.easy) == CURLM_OK else {
                transfer.abandon(.other, detail: "libcurl did not accept the request")
                return false
            }
            running[submission.id] = (transfer, origin)
            return true
        } catch {
            submission.fail(error)
            return false
        }
    }

    private mutating func idleTransfer() throws(TransportError) -> Transfer {
        if let transfer = idle.popLast() { return transfer }
        return try Transfer(configuration)
    }

    private mutating func expireWaiting() {
        let now = ContinuousClock.now
        let expiring = lanes.filter { $0.value.waiting.nextExpiry.map { $0 <= now } ?? false }.keys
        for origin in Array(expiring) {
            for submission in lanes[origin]?.waiting.removeExpired(at: now) ?? [] {
                submission.fail(.timedOutInLine)
            }
        }
    }

    /// Returns milliseconds until the next expiry, at most one hour.
    ///
    /// libcurl's own timers limit the running transfers. A connection that closed during a write
    /// immediately makes room for waiting submissions.
    private func timeToNextExpiry() -> Int32 {
        guard !links.contains(where: { $0.phase == .closed }) else { return 0 }
        let hour = 3_600_000
        let opening = lanes.isEmpty ? nil : openings.next(at: .now)
        let expiries = lanes.values.map(\.waiting.nextExpiry) + links.map(\.nextExpiry) + [opening]
        guard let next = expiries.compactMap(\.self).min() else { return Int32(hour) }
        let time = ContinuousClock.now.duration(to: next).roundedUpToMilliseconds
        return Int32(min(time, hour))
    }
}

/// Ends the loop.
extension TransferLoop {
    private mutating func end(_ reason: TransportError.Reason, detail: String) {
        let events = mailbox.closeForGood()
        for link in links { drop(link, reason: reason, detail: detail) }
        for (transfer, _) in running.values {
            multi.remove(transfer.easy)
            transfer.abandon(reason, detail: detail)
        }
        for origin in Array(lanes.keys) {
            for submission in lanes[origin]?.waiting.removeAll() ?? [] {
                submission.fail(.notSent(reason, detail: detail))
            }
        }
        Self.fail(events, with: .notSent(reason, detail: detail))
        mailbox.landings.deliver()
        lanes = [:]
        links = []
        running = [:]
        idle = []
    }

    static func fail(_ events: [TransportInbox.Event], with error: TransportError) {
        for case .submissions(let submissions) in events {
            for submission in submissions { submission.fail(error) }
        }
    }
}

/// libcurl's process-wide state.
enum CurlLibrary {
    /// Why libcurl could not be loaded and initialized; the first use does both.
    ///
    /// It stays initialized until the process ends.
    static let failure: String? = unsafe herald_curl_load().map { reason in
        "libcurl (Debian package libcurl4) cannot be loaded: \(unsafe String(cString: reason))"
    }
}
