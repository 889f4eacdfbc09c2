internal import CLibCurl
internal import HTTPTransport

/// One HTTP/2 connection, opened by libcurl and framed by libnghttp2, with the requests on it.
///
/// A class, because libnghttp2's callbacks hold a pointer to it. It belongs to the transport's
/// thread.
///
/// **Each request is written at most once**, since nothing here writes a second time. **The fate of
/// a request** is decided by what left: it is not sent as long as its first byte was not handed to
/// the connection, and where the server says that it did not process it.
///
/// **A peer that vanished, or takes nothing any more, costs what was open then**: `LinkPulse` and
/// `BodyRoom` say when a connection may be given more, and one on which a request ran out of time
/// with no answer to any other is given nothing more.
final class HTTP2Link {
    enum Phase {
        case opening
        case open
        /// The server takes no further requests; those that are open may still be answered.
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
    /// The one that was looked up last: frames of one stream mostly follow each other.
    private var recent: HTTP2Stream?
    private var latestFields: HTTP2Fields?
    private var encoder = HeaderEncoder()
    /// The one whose header block libnghttp2 is about to give.
    private var beginning: HTTP2Stream?
    private var output: [UInt8] = []
    /// How much of `output` has left.
    private var written = 0
    /// How much had left before `output` was begun.
    private var writtenBefore = 0
    /// How much the connection was given in the last attempt that took nothing: a part of it may
    /// have left nevertheless.
    private var attempted = 0
    private var idleSince = ContinuousClock.now
    private var pulse: LinkPulse
    private var room = BodyRoom()
    /// Requests that were answered.
    private var answered = 0
    /// Never later than the first deadline of a stream; it may belong to one that has ended.
    private var firstDeadline: ContinuousClock.Instant?

    /// So much is written at once.
    private static let outputLimit = 64 * 1024
    /// The longest record of TLS (RFC 8446, section 5.1): one that did not leave whole is nothing that
    /// a server could read.
    private static let recordSize = 16 * 1024

    init(_ transfer: Transfer, to origin: Origin, _ configuration: CurlTransport.Configuration) {
        self.transfer = transfer
        self.origin = origin
        maximumStreams = configuration.maximumConnections
        agent = configuration.userAgent
        pulse = LinkPulse(openedAt: .now, limit: configuration.connectTimeLimit)
    }

    /// False where the server chose another protocol.
    func open(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        // libcurl says what was negotiated only once the connection was used.
        let first = unsafe transfer.easy.receive(into: buffer)
        guard transfer.easy.speaksHTTP2, let session = HTTP2Session(for: self) else { return false }
        self.session = session
        phase = .open
        unsafe take(first, buffer)
        return true
    }

    /// Whether it can take this request now.
    ///
    /// Where it must hear of its peer first, it asks.
    func admits(_ submission: Submission, at now: ContinuousClock.Instant) -> Bool {
        guard let session, isThere(at: now),
            streams.count < min(maximumStreams, session.maximumStreams)
        else { return false }
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

    /// It may take requests soon, or turns out to be of no use.
    var isInDoubt: Bool { phase == .open && (pulse.isAsked || room.isFull) }

    /// When `expire` has something to do, or earlier.
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

    /// A connection that nobody used for so long may be closed by the server at any moment.
    func isStale(at now: ContinuousClock.Instant, after limit: Duration) -> Bool {
        streams.isEmpty && idleSince.duration(to: now) > limit
    }

    /// Whether it waits for the socket to take more.
    var wantsToWrite: Bool { written < output.count }

    func begin(_ submission: Submission) {
        guard case .request(let request, _) = submission.work else { return }
        do throws(TransportError) {
            let fields = try fields(of: request)
            guard let number = session?.submit(hasBody: !request.body.isEmpty) else {
                phase = .closing
                throw .notSent(.lostConnection, "the connection accepts no more requests")
            }
            streams[number] = HTTP2Stream(
                number,
                submission,
                request,
                fields,
                answeredBefore: answered
            )
            room.begin(request.body.count)
            firstDeadline = min(firstDeadline ?? submission.deadline, submission.deadline)
        } catch {
            submission.fail(error)
        }
    }

    /// Most requests have the fields of the one before.
    private func fields(of request: HTTPRequest) throws(TransportError) -> HTTP2Fields {
        if let latestFields, latestFields.isMade(for: request) { return latestFields }
        let fields = try HTTP2Fields(request, at: origin, agent: agent)
        latestFields = fields
        return fields
    }

    /// Ends those that are asked for and on this connection.
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

    /// Ends a stream from this side, and tells the server.
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

    /// Ends the connection; what is on it gets no answer.
    func close(_ reason: TransportError.Reason, _ detail: String) {
        phase = .closed
        let left = streams
        streams = [:]
        recent = nil
        for stream in left.values { stream.fail(reason, detail, unsentFrom: writtenAtMost) }
        session = nil
    }

    private var writtenAtMost: Int { writtenBefore + max(written, attempted) }
}

/// Reading and writing.
extension HTTP2Link {
    /// Reads what is there and writes what can be.
    func pump(_ buffer: UnsafeMutableRawBufferPointer) {
        guard phase == .open || phase == .closing else { return }
        unsafe receive(buffer)
        guard phase != .closed else { return }
        flush()
        guard let session else { return }
        if phase == .open, !session.takesRequests { phase = .closing }
        if !session.isAlive || phase == .closing && streams.isEmpty {
            close(.lostConnection, "the server ended the connection or stopped responding")
        }
    }

    private func receive(_ buffer: UnsafeMutableRawBufferPointer) {
        while phase != .closed {
            let reception = unsafe transfer.easy.receive(into: buffer)
            if case .nothingNow = reception { return }
            unsafe take(reception, buffer)
        }
    }

    private func take(
        _ reception: EasyHandle.Reception,
        _ buffer: UnsafeMutableRawBufferPointer
    ) {
        switch reception {
        case .nothingNow: return
        case .ended(let detail): close(.lostConnection, detail)
        case .bytes(let count):
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let isUnderstood = unsafe bytes.withMemoryRebound(to: UInt8.self) {
                unsafe session?.receive($0) ?? false
            }
            if !isUnderstood { close(.malformedAnswer, "the server does not speak HTTP/2") }
            pulse.hear(at: .now)
        }
    }

    func flush() {
        guard phase == .open || phase == .closing else { return }
        while true {
            if written == output.count, !refill() { return }
            let (count, error) = unsafe output.withUnsafeBytes {
                unsafe transfer.easy.send(UnsafeRawBufferPointer(rebasing: $0[written...]))
            }
            if let error {
                // Every TLS record but the last may have left before the write failed.
                let left = output.count - written
                attempted = max(attempted, written + (left - 1) / Self.recordSize * Self.recordSize)
                return close(.lostConnection, error)
            }
            written += count
            guard count > 0 else {
                attempted = output.count
                return
            }
        }
    }

    /// False when there is nothing to write.
    private func refill() -> Bool {
        writtenBefore += output.count
        output.removeAll(keepingCapacity: true)
        written = 0
        attempted = 0
        while output.count < Self.outputLimit {
            guard let frames = unsafe session?.produce() else {
                close(.other, "libnghttp2 failed")
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

/// What libnghttp2 tells, of a stream each.
extension HTTP2Link {
    /// False where nobody waits for it any more.
    func willWriteRequest(_ number: Int32) -> Bool {
        beginning = stream(number)
        beginning?.beginning = writtenBefore + output.count
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
