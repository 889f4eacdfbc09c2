internal import CLibCurl
internal import HTTPTransport

/// One libcurl easy handle and its buffer for error messages; both are freed at the end.
@safe struct EasyHandle: ~Copyable {
    /// For `MultiHandle` only.
    @unsafe let unsafeHandle: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>

    init() throws(TransportError) {
        guard let handle = unsafe herald_curl_easy_init() else {
            throw .notSent(.other, detail: "libcurl could not allocate a handle")
        }
        unsafe unsafeHandle = unsafe handle
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        // A failure only makes the explanations less detailed.
        _ = unsafe herald_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    }

    deinit {
        unsafe herald_curl_easy_cleanup(unsafeHandle)
        unsafe message.deallocate()
    }

    var status: Int { unsafe herald_curl_status(unsafeHandle) }

    func clearMessage() {
        unsafe message.pointee = 0
    }

    /// Returns libcurl's message for the last transfer, or the general meaning of the code.
    func explanation(of code: CURLcode) -> String {
        if unsafe message.pointee != 0 { return unsafe String(cString: message) }
        guard let meaning = unsafe herald_curl_easy_strerror(code) else { return "libcurl error" }
        return unsafe String(cString: meaning)
    }
}

/// An option that libcurl rejects is an error, because the guarantees of a transfer depend on the
/// options.
extension EasyHandle {
    func set(_ option: CURLoption, to value: Int) throws(TransportError) {
        try check(unsafe herald_curl_set_long(unsafeHandle, option, value))
    }

    func set(_ option: CURLoption, to value: Bool) throws(TransportError) {
        try set(option, to: value ? 1 : 0)
    }

    /// Sets a string option; libcurl keeps a copy.
    ///
    /// The string must not contain NUL.
    func set(_ option: CURLoption, to value: String) throws(TransportError) {
        try check(unsafe herald_curl_set_string(unsafeHandle, option, value))
    }

    func setSize(_ option: CURLoption, to value: Int) throws(TransportError) {
        try check(unsafe herald_curl_set_size(unsafeHandle, option, curl_off_t(value)))
    }

    /// Sets the header list, which must live until another one is set or the handle is freed.
    func setHeaders(_ list: borrowing HeaderList) throws(TransportError) {
        try check(unsafe herald_curl_set_headers(unsafeHandle, list.unsafeList))
    }

    /// Sets a pointer, whose target must live longer than the transfers of this handle.
    @unsafe func setPointer(
        _ option: CURLoption,
        to value: UnsafeMutableRawPointer
    ) throws(TransportError) {
        try check(unsafe herald_curl_set_pointer(unsafeHandle, option, value))
    }

    @unsafe func setWriter(
        _ option: CURLoption,
        to callback: curl_write_callback
    ) throws(TransportError) {
        try check(unsafe herald_curl_set_writer(unsafeHandle, option, callback))
    }

    @unsafe func setReader(_ callback: curl_read_callback) throws(TransportError) {
        try check(unsafe herald_curl_set_reader(unsafeHandle, callback))
    }

    @unsafe func setPrerequest(_ callback: curl_prereq_callback) throws(TransportError) {
        try check(unsafe herald_curl_set_prerequest(unsafeHandle, callback))
    }

    private func check(_ code: CURLcode) throws(TransportError) {
        guard code == CURLE_OK else { throw .notSent(.other, detail: explanation(of: code)) }
    }
}

/// A connection that libcurl only opens (CURLOPT_CONNECT_ONLY); the caller reads and writes its
/// bytes.
extension EasyHandle {
    enum Reception {
        case bytes(Int)
        case nothingNow
        case ended(String)
    }

    /// Offers HTTP/2 in the TLS handshake.
    ///
    /// libcurl's own option is not used, because libcurl itself would then speak the negotiated
    /// protocol.
    func offerHTTP2() throws(TransportError) {
        try set(CURLOPT_SSL_ENABLE_ALPN, to: false)
        let isSet = unsafe herald_curl_set_tls_context(unsafeHandle) { _, context, _ in
            unsafe herald_ssl_offer_http2(context) == 0 ? CURLE_OK : CURLE_SSL_CONNECT_ERROR
        }
        guard isSet == CURLE_OK else { throw .notSent(.other, detail: explanation(of: isSet)) }
    }

    /// Whether the server chose HTTP/2 in the handshake.
    var speaksHTTP2: Bool {
        guard let session = unsafe herald_curl_tls_session(unsafeHandle) else { return false }
        return unsafe herald_ssl_speaks_http2(session) != 0
    }

    static let orderlyEnd = "the server closed the connection"

    var socket: curl_socket_t { unsafe herald_curl_socket(unsafeHandle) }

    func receive(into space: UnsafeMutableRawBufferPointer) -> Reception {
        var count = 0
        let code = unsafe herald_curl_easy_recv(
            unsafeHandle,
            space.baseAddress,
            space.count,
            &count
        )
        return switch code {
        case CURLE_OK where count > 0: .bytes(count)
        case CURLE_OK: .ended(Self.orderlyEnd)
        case CURLE_AGAIN: .nothingNow
        default: .ended(explanation(of: code))
        }
    }

    /// Returns the number of bytes taken (0 if none can be taken now), or why the connection ended.
    func send(_ bytes: UnsafeRawBufferPointer) -> (count: Int, error: String?) {
        var count = 0
        let code = unsafe herald_curl_easy_send(
            unsafeHandle,
            bytes.baseAddress,
            bytes.count,
            &count
        )
        return switch code {
        case CURLE_OK: (count, nil)
        case CURLE_AGAIN: (0, nil)
        default: (0, explanation(of: code))
        }
    }
}
