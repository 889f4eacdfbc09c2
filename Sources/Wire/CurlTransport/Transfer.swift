internal import CLibCurl
internal import HTTPTransport

/// A libcurl handle and the one submission that it carries at a time.
///
/// A class, because libcurl's callbacks hold a pointer to it. It belongs to the transport's thread.
///
/// **Each request is written at most once.** libcurl repeats a request, regardless of its method,
/// when a reused connection ends before the first byte of an answer (`Curl_retry_request` in its
/// lib/transfer.c; curl issue 18417). It calls CURLOPT_PREREQFUNCTION before each attempt to write
/// the request. This class answers the second call with "abort". As a second safeguard, the body
/// comes from a read function that cannot start over. libcurl then ends with
/// CURLE_SEND_FAIL_REWIND.
///
/// **The same call decides the fate of a request.** Before the call, no connection is ready
/// (including TLS) and no byte of the request has been written. After the call, the request may
/// have been sent. CURLINFO_REQUEST_SIZE is not sufficient: it counts only the bytes of the first
/// write (`Curl_buffer_send` in lib/http.c). It is 0 if the socket first takes nothing and later
/// takes everything. The result code is not sufficient either: it is CURLE_COULDNT_CONNECT if the
/// request was written and the second connection cannot be opened.
final class Transfer {
    private(set) var submission: Submission?
    let easy: EasyHandle
    /// Whether libcurl has started to write the request.
    private var mayHaveBeenSent = false
    private var wasRefusedRepetition = false
    private var answer = AnswerBuilder()
    private var isAnswerTooLarge = false
    private var body: [UInt8] = []
    private var sentBody = 0
    /// Kept between requests, because consecutive requests mostly have the same headers.
    private var headers: [HTTPHeader] = []
    private var headerList: HeaderList

    init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        easy = try EasyHandle()
        headerList = try HeaderList([])
        try easy.setHeaders(headerList)
        try easy.setFixedOptions(configuration)
        try unsafe setCallbacks()
    }

    /// Prepares the handle for a submission before it is added to a multi handle.
    ///
    /// If this throws, the caller still owns the submission.
    func prepare(
        _ submission: Submission,
        timeLeft: Duration
    ) throws(TransportError) {
        clear()
        try easy.set(CURLOPT_URL, to: submission.url)
        try easy.set(CURLOPT_TIMEOUT_MS, to: max(1, timeLeft.roundedUpToMilliseconds))
        switch submission.work {
        case .connection:
            try easy.set(CURLOPT_CONNECT_ONLY, to: true)
            try easy.set(CURLOPT_HTTPGET, to: true)
        case .link:
            try easy.set(CURLOPT_CONNECT_ONLY, to: true)
            try easy.set(CURLOPT_FRESH_CONNECT, to: true)
            try easy.set(CURLOPT_HTTPGET, to: true)
            try easy.offerHTTP2()
        case .request(let request, _):
            try easy.set(CURLOPT_CONNECT_ONLY, to: false)
            try setRequest(request)
        }
        self.submission = submission
    }

    /// Resumes the caller after libcurl has completed the transfer.
    func end(with code: CURLcode) {
        switch submission?.work {
        case nil, .link: break
        case .connection(let caller) where code == CURLE_OK: caller.resume(returning: .success(()))
        case .request where code == CURLE_OK && !wasRefusedRepetition:
            submission?.succeed(answer.finish(status: easy.status))
        default:
            let reason = TransportError.Reason(code, mayHaveBeenSent: mayHaveBeenSent)
            fail(reason, detail: explanation(of: code))
        }
        clear()
    }

    /// Resumes the caller of a transfer that was removed from libcurl before its end.
    func abandon(_ reason: TransportError.Reason, detail: String) {
        fail(reason, detail: detail)
        clear()
    }

    private func fail(_ reason: TransportError.Reason, detail: String) {
        submission?.fail(TransportError(fate: fate, reason: reason, detail: detail))
    }

    private var fate: TransportError.Fate {
        switch submission?.work {
        case .request where mayHaveBeenSent: .perhapsSent
        case .request, .connection, .link, nil: .notSent
        }
    }

    func explanation(of code: CURLcode) -> String {
        if wasRefusedRepetition { return "the connection ended before an answer came" }
        if isAnswerTooLarge { return "the answer is larger than \(AnswerBuilder.bodyLimit) bytes" }
        return easy.explanation(of: code)
    }

    private func clear() {
        submission = nil
        mayHaveBeenSent = false
        wasRefusedRepetition = false
        answer = AnswerBuilder()
        isAnswerTooLarge = false
        body = []
        sentBody = 0
        easy.clearMessage()
    }
}

extension Transfer {
    private func setRequest(_ request: HTTPRequest) throws(TransportError) {
        if request.headers != headers {
            let list = try HeaderList(request.headers)
            try easy.setHeaders(list)
            headerList = list
            headers = request.headers
        }
        try easy.setMethod(request.method, bodyLength: request.body.count)
        body = request.body
    }
}

/// Handles libcurl's callbacks.
extension Transfer {
    /// Whether the request may be written now.
    func mayWriteRequest() -> Bool {
        guard !mayHaveBeenSent else {
            wasRefusedRepetition = true
            return false
        }
        mayHaveBeenSent = true
        submission?.willWrite()
        return true
    }

    /// Copies body bytes to the start of `space` and returns their number; 0 at the end of the
    /// body.
    func readBody(into space: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(space.count, body.count - sentBody)
        unsafe body.withUnsafeBytes { bytes in
            unsafe space.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[sentBody..<sentBody + count])
            )
        }
        sentBody += count
        return count
    }

    func receive(headerLine line: UnsafeBufferPointer<UInt8>) {
        unsafe answer.receive(headerLine: line)
    }

    /// Returns false to end the transfer.
    func receive(body piece: UnsafeBufferPointer<UInt8>) -> Bool {
        isAnswerTooLarge = unsafe !answer.receive(body: piece)
        return !isAnswerTooLarge
    }
}
