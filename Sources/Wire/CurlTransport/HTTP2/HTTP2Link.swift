internal import CLibCurl
internal import HTTPTransport

/// One HTTP/2 connection with its requests, opened by libcurl and framed by libnghttp2.
///
/// A class, because libnghttp2's callbacks hold a pointer to it. It belongs to the transport's
/// thread.
///
/// **Each request is written at most once**, because this code never writes a request twice. **The
/// bytes that left decide the fate of a request**: it is not sent if its first byte was not passed
/// to the connection, or if the server reports that it did not process the request.
///
/// **A peer that vanishes or stops reading costs only the requests that were open then.**
/// `ConnectionKeepAlive` and `BodyRoom` decide when a connection may get more requests. A connection gets no
/// more requests after one of its requests timed out while no other got an answer.
final class HTTP2Link {
    enum Phase {
        case opening
        case open
        /// The server takes no further requests, but may still answer open ones.
        case closing
        case closed
    }

    let transfer: Transfer
    let origin: Origin
    private(set) var phase = Phase.opening
    private let maximumStreams: Int
    private let agent: String
    private var session: HTTP2Session?
    private var streams: [Int32: HTTP2Stream] = [:]
    /// The stream of the last lookup, because consecutive frames mostly belong to one stream.
    private var recent: HTTP2Stream?
    private var latestFields: HTTP2Fields?
    private var encoder = HeaderEncoder()
    /// The stream whose header block libnghttp2 is about to deliver.
    private var beginning: HTTP2Stream?
    private var output: [UInt8] = []
    /// Number of bytes of `output` that have left.
    private var written = 0
    /// Number of bytes that had left before `output` was started.
    private var writtenBefore = 0
    /// Number of bytes passed to the connection in the last attempt that took nothing; a part of
    /// them may have left anyway.
    private var attempted = 0
    private var idleSince = ContinuousClock.now
    private var pulse: ConnectionKeepAlive
    private var room = BodyRoom()
    /// Number of requests since everything was written.
    private var unwritten = 0
    /// Number of answered requests.
    private var answered = 0
    /// Never later than the first deadline of a stream; it may belong to a completed stream.
    private var firstDeadline: ContinuousClock.Instant?

    /// The maximum number of requests that are written at once: if the process is killed meanwhile,
    /// it is unknown which of them left.
    private static let mostAtOnce = 16
    /// The maximum number of bytes that are written at once.
    private static let outputLimit = 64 * 1024
    /// The longest TLS record (RFC 8446, section 5.1): a server cannot read a record that did not
    /// leave completely.
    private static let recordSize = 16 * 1024

    init(over transfer: Transfer, to origin: Origin, configuration: CurlTransport.Configuration) {
        self.transfer = transfer
        self.origin = origin
        maximumStreams = min(configuration.maximumStreams, configuration.maximumConnections)
        agent = configuration.userAgent
        pulse = ConnectionKeepAlive(openedAt: .now, limit: configuration.connectTimeLimit)
    }

    /// Returns false if the server chose another protocol.
    func open(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        // libcurl reports the negotiated protocol only after the first use of the connection.
        let first = unsafe transfer.easy.receive(into: buffer)
        guard transfer.easy.speaksHTTP2, let session = HTTP2Session(for: self) else { return false }
        self.session = session
        phase = .open
        unsafe take(first, from: buffer)
        return true
    }

    /// Whether the connection can take this request now.
    ///
    /// If the peer must answer first, this sends a PING.
    func admits(_ submission: Submission, at now: ContinuousClock.Instant) -> Bool {
        guard let session, isThere(at: now),
            streams.count < min(maximumStreams, session.maximumStreams)
        else { return false }
        if unwritten >= Self.mostAtOnce {
            flush()
            guard phase == .open, unwritten == 0 else { return false }
        }
        return room.admits(submission.bodyLength, window: session.remoteWindow, at: now)
    }

    private func isThere(at now: ContinuousClock.Instant) -> Bool {
        guard phase == .open, let session else { return false }
        switch pulse.verdict(at: now) {
        case .isThere: return true
        case .isAsked: return false
        case .mustBeAsked:
            session.ping()
            pulse.ask(at: now)
            return false
        }
    }

    /// Whether the connection may take requests soon, or turns out to be unusable.
    var isInDoubt: Bool { phase == .open && (pulse.isAsked || room.isFull) }

    /// The time at which `expire` has work to do, or earlier.
    var nextExpiry: ContinuousClock.Instant? {
        guard phase == .open else { return firstDeadline }
        return earliest(firstDeadline, earliest(pulse.deadline, room.deadline))
    }

    private func earliest(
        _ one: ContinuousClock.Instant?,
        _ other: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let one, let other else { return one ?? other }
        return min(one, other)
    }

    /// Whether the connection has been idle so long that the server may close it at any time.
    func isStale(at now: ContinuousClock.Instant, after limit: Duration) -> Bool {
        streams.isEmpty && idleSince.duration(to: now) > limit
    }

    /// Whether output waits for the socket.
    var wantsToWrite: Bool { written < output.count }

    func begin(_ submission: Submission) {
        guard case .request(let request, _) = submission.work else { return }
        do throws(TransportError) {
            let fields = try fields(of: request)
            guard let number = session?.submit(hasBody: !request.body.isEmpty) else {
                phase = .closing
                throw .notSent(.lostConnection, detail: "the connection accepts no more requests")
            }
            streams[number] = HTTP2Stream(
                number: number,
                submission: submission,
                request: request,
                fields: fields,
                answeredBefore: answered
            )
            room.begin(request.body.count)
            unwritten += 1
            firstDeadline = min(firstDeadline ?? submission.deadline, submission.deadline)
        } catch {
            submission.fail(error)
        }
    }

    /// Returns the fields of a request; most requests have the same fields as the previous one.
    private func fields(of request: HTTPRequest) throws(TransportError) -> HTTP2Fields {
        if let latestFields, latestFields.isMade(for: request) { return latestFields }
        let fields = try HTTP2Fields(request, at: origin, agent: agent)
        latestFields = fields
        return fields
    }

    /// Ends the requests with these ids on this connection.
    func cancel(_ ids: ClosedRange<SubmissionID>) {
        for stream in Array(streams.values) where ids.contains(stream.submission.id) {
            end(stream, because: .cancelled)
        }
    }

    func expire(at now: ContinuousClock.Instant) {
        guard let nextExpiry, nextExpiry <= now else { return }
        if phase == .open, let doubt = earliest(pulse.deadline, room.deadline), doubt <= now {
            phase = .closing
        }
        for stream in Array(streams.values) where stream.submission.deadline <= now {
            if stream.answeredBefore == answered, phase == .open { phase = .closing }
            end(stream, because: .timedOut)
        }
        firstDeadline = streams.values.lazy.map(\.submission.deadline).min()
    }

    /// Ends a stream locally and notifies the server.
    private func end(_ stream: HTTP2Stream, because reason: TransportError.Reason) {
        stream.ending = reason
        session?.cancel(stream.number)
        end(stream.number, code: 0)
    }

    private func stream(_ number: Int32) -> HTTP2Stream? {
        if let recent, recent.number == number { return recent }
        recent = streams[number]
        return recent
    }

    /// Ends the connection; its open requests get no answer.
    func close(_ reason: TransportError.Reason, detail: String) {
        phase = .closed
        let left = streams
        streams = [:]
        recent = nil
        for stream in left.values { stream.fail(reason, detail: detail, unsentFrom: writtenAtMost) }
        session = nil
    }

    private var writtenAtMost: Int { writtenBefore + max(written, attempted) }
}

/// Reading and writing.
extension HTTP2Link {
    /// Reads available bytes and writes as many as possible.
    func pump(_ buffer: UnsafeMutableRawBufferPointer) {
        guard phase == .open || phase == .closing else { return }
        unsafe receive(buffer)
        guard phase != .closed else { return }
        flush()
        guard let session else { return }
        if phase == .open, !session.takesRequests { phase = .closing }
        if !session.isAlive || phase == .closing && streams.isEmpty {
            close(.lostConnection, detail: "the server ended the connection or stopped responding")
        }
    }

    private func receive(_ buffer: UnsafeMutableRawBufferPointer) {
        while phase != .closed {
            let reception = unsafe transfer.easy.receive(into: buffer)
            if case .nothingNow = reception { return }
            unsafe take(reception, from: buffer)
        }
    }

    private func take(
        _ reception: EasyHandle.Reception,
        from buffer: UnsafeMutableRawBufferPointer
    ) {
        switch reception {
        case .nothingNow: return
        case .ended(let detail): close(.lostConnection, detail: detail)
        case .bytes(let count):
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let isUnderstood = unsafe bytes.withMemoryRebound(to: UInt8.self) {
                unsafe session?.receive($0) ?? false
            }
            if !isUnderstood { close(.malformedAnswer, detail: "the server does not speak HTTP/2") }
            pulse.hear(at: .now)
        }
    }

    func flush() {
        guard phase == .open || phase == .closing else { return }
        while true {
            if written == output.count, !refill() {
                unwritten = 0
                return
            }
            let (count, error) = unsafe output.withUnsafeBytes {
                unsafe transfer.easy.send(UnsafeRawBufferPointer(rebasing: $0[written...]))
            }
            if let error {
                // Every TLS record except the last may have left before the write failed.
                let left = output.count - written
                attempted = max(attempted, written + (left - 1) / Self.recordSize * Self.recordSize)
                return close(.lostConnection, detail: error)
            }
            written += count
            guard count > 0 else {
                attempted = output.count
                return
            }
        }
    }

    /// Returns false if there is nothing to write.
    private func refill() -> Bool {
        writtenBefore += output.count
        output.removeAll(keepingCapacity: true)
        written = 0
        attempted = 0
        while output.count < Self.outputLimit {
            guard let frames = unsafe session?.produce() else {
                close(.other, detail: "libnghttp2 failed")
                return false
            }
            if frames.isEmpty { break }
            if let stream = beginning.take() {
                unsafe HeaderFrames.append(block(of: stream), inPlaceOf: frames, to: &output)
            } else {
                unsafe output.append(contentsOf: frames)
            }
        }
        return !output.isEmpty
    }

    private func block(of stream: HTTP2Stream) -> [UInt8] {
        let peersLimit = session?.headerTableSize ?? 0
        let length = stream.request.body.count
        return encoder.block(stream.fields, length: length, peersLimit: peersLimit)
    }
}

/// Handles libnghttp2's callbacks about single streams.
extension HTTP2Link {
    /// Returns false if no caller waits for the request.
    func willWriteRequest(_ number: Int32) -> Bool {
        beginning = stream(number)
        beginning?.beginning = writtenBefore + output.count
        beginning?.submission.willWrite()
        return beginning != nil
    }

    func readBody(
        of number: Int32,
        into space: UnsafeMutableRawBufferPointer
    ) -> (count: Int, isEnd: Bool) {
        guard let stream = stream(number) else { return (0, true) }
        let body = stream.request.body
        let end = min(body.count, stream.sentBody + space.count)
        unsafe body.withUnsafeBytes { bytes in
            unsafe space.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[stream.sentBody..<end])
            )
        }
        defer { stream.sentBody = end }
        room.end(end - stream.sentBody)
        return (end - stream.sentBody, end == body.count)
    }

    func receive(
        name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>,
        of number: Int32
    ) {
        guard let stream = stream(number) else { return }
        if let status = unsafe stream.answer.receive(name: name, value: value) {
            stream.status = status
        }
    }

    func receive(body piece: UnsafeBufferPointer<UInt8>, of number: Int32) {
        guard let stream = stream(number) else { return }
        if unsafe !stream.answer.receive(body: piece) { end(stream, because: .malformedAnswer) }
    }

    func receive(frameOf number: Int32, isHeaders: Bool, endsStream: Bool) {
        guard let stream = stream(number) else { return }
        if isHeaders { stream.answer.endHeaders() }
        if endsStream { stream.isAnswered = true }
    }

    func end(_ number: Int32, code: UInt32) {
        guard let stream = streams.removeValue(forKey: number) else { return }
        if recent === stream { recent = nil }
        room.end(stream.request.body.count - stream.sentBody)
        if stream.isAnswered { answered += 1 }
        stream.end(code: code)
        if streams.isEmpty { idleSince = .now }
    }
}
