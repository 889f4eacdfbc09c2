internal import CLibCurl
internal import HTTPTransport

/// Requests to TLS origins share connections if the server supports HTTP/2.
extension TransferLoop {
    /// The number of connections to one origin that is always allowed, even if few requests may be
    /// open: a connection that does not answer must not stop the others.
    private static let spareLinks = 8
    /// The maximum number of connections that are opened at the same time.
    private static let mostOpening = 4

    private var maximumLinks: Int {
        let streams = max(1, configuration.maximumStreams)
        return Self.spareLinks + (configuration.maximumConnections + streams - 1) / streams
    }

    /// Assigns waiting submissions to connections with room, or opens a connection if there is
    /// none.
    mutating func multiplex(at origin: Origin) {
        guard var lane = lanes.removeValue(forKey: origin) else { return }
        dropStaleLinks(at: origin)
        let now = ContinuousClock.now
        for link in links where link.origin == origin && link.phase == .open {
            while let next = lane.waiting.first, link.admits(next, at: now),
                let submission = lane.waiting.popFirst()
            {
                if case .connection(let caller) = submission.work {
                    caller.resume(returning: .success(()))
                } else {
                    link.begin(submission)
                }
            }
        }
        guard !lane.waiting.isEmpty else { return }
        let waiting = lane.waiting.count
        lanes[origin] = lane
        while openLink(to: origin, for: waiting) {}
    }

    /// Opens another connection if the ones that are being opened are not enough.
    ///
    /// Returns false if none was opened.
    private mutating func openLink(to origin: Origin, for waiting: Int) -> Bool {
        let own = links.filter { $0.origin == origin }
        let opening = own.count { $0.phase == .opening }
        guard own.count < maximumLinks, opening < Self.mostOpening,
            opening * configuration.maximumStreams < waiting,
            !own.contains(where: \.isInDoubt),
            own.count < Self.spareLinks || openings.take(at: .now)
        else { return false }
        lastLink -= 1
        let limit = configuration.connectTimeLimit
        let submission = Submission(
            id: SubmissionID(number: lastLink),
            url: origin.url,
            deadline: .now + limit,
            work: .link
        )
        do throws(TransportError) {
            let transfer = try Transfer(configuration)
            try transfer.prepare(submission, timeLeft: limit)
            guard multi.add(transfer.easy) == CURLM_OK else {
                throw .notSent(.other, detail: "libcurl did not accept the connection")
            }
            links.append(HTTP2Link(over: transfer, to: origin, configuration: configuration))
            return true
        } catch {
            failWaiting(at: origin, with: error)
            return false
        }
    }

    /// Handles the result of opening a connection.
    mutating func settle(_ link: HTTP2Link, with result: CURLcode) {
        let origin = link.origin
        if result != CURLE_OK {
            let reason = TransportError.Reason(result, mayHaveBeenSent: false)
            let detail = link.transfer.explanation(of: result)
            drop(link, reason: reason, detail: detail)
            // Other open connections take the waiting submissions when they get room.
            let hasOthers = links.contains { $0.origin == origin }
            if !hasOthers { failWaiting(at: origin, with: .notSent(reason, detail: detail)) }
            return
        }
        if unsafe !link.open(inbox.space) {
            drop(link, reason: .other, detail: "the server speaks HTTP/1.1")
            olderOrigins.insert(origin)
        } else if link.phase == .closed {
            let detail = "the server closed the connection"
            drop(link, reason: .lostConnection, detail: detail)
            let hasOthers = links.contains { $0.origin == origin }
            if !hasOthers {
                failWaiting(at: origin, with: .notSent(.lostConnection, detail: detail))
            }
            return
        }
        startWaiting(at: origin)
    }

    private mutating func failWaiting(at origin: Origin, with error: TransportError) {
        guard var lane = lanes.removeValue(forKey: origin) else { return }
        for submission in lane.waiting.removeAll() { submission.fail(error) }
    }

    /// Ends and removes a connection; libcurl closes it when it loses the handle.
    mutating func drop(_ link: HTTP2Link, reason: TransportError.Reason, detail: String) {
        link.close(reason, detail: detail)
        multi.remove(link.transfer.easy)
        links.removeAll { $0 === link }
    }

    private mutating func dropStaleLinks(at origin: Origin) {
        let now = ContinuousClock.now
        let limit = configuration.idleTimeLimit
        for link in links where link.origin == origin && link.isStale(at: now, after: limit) {
            drop(link, reason: .lostConnection, detail: "the connection was idle for too long")
        }
    }

    /// Reads and writes on every connection, ends expired requests, and fills the room that answers
    /// made.
    mutating func pumpLinks() {
        guard !links.isEmpty else { return }
        let now = ContinuousClock.now
        for link in links where link.phase != .opening {
            link.expire(at: now)
            unsafe link.pump(inbox.space)
            if link.phase == .closed {
                drop(link, reason: .lostConnection, detail: "the connection has ended")
            }
            if lanes[link.origin] != nil {
                startWaiting(at: link.origin)
                for other in links where other.origin == link.origin { other.flush() }
            }
        }
    }

    /// The sockets and events to wait for.
    var socketsOfLinks: [curl_waitfd] {
        links.compactMap { link in
            guard link.phase == .open || link.phase == .closing else { return nil }
            let reading = Int16(CURL_WAIT_POLLIN)
            let writing = link.wantsToWrite ? Int16(CURL_WAIT_POLLOUT) : 0
            return curl_waitfd(fd: link.transfer.easy.socket, events: reading | writing, revents: 0)
        }
    }
}

/// The buffer for reading from a connection; freed at the end.
@safe struct LinkInbox: ~Copyable {
    @unsafe let space: UnsafeMutableRawBufferPointer

    init() {
        unsafe space = .allocate(byteCount: 128 * 1024, alignment: 16)
    }

    deinit {
        unsafe space.deallocate()
    }
}
