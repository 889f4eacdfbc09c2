internal import CLibCurl
internal import HTTPTransport

/// One libcurl easy handle and its buffer for error messages; both freed at the end.
@safe struct EasyHandle: ~Copyable {
    /// For `MultiHandle` only.
    @unsafe let unsafeHandle: UnsafeMutableRawPointer
    private let message: UnsafeMutablePointer<CChar>

    init() throws(TransportError) {
        guard let handle = unsafe curl_easy_init() else {
            throw .notSent(.other, "libcurl could not allocate a handle")
        }
        unsafe unsafeHandle = unsafe handle
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        // Without it only the explanations are poorer.
        _ = unsafe herald_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    }

    deinit {
        unsafe curl_easy_cleanup(unsafeHandle)
        unsafe message.deallocate()
    }

    var status: Int { unsafe herald_curl_status(unsafeHandle) }

    func clearMessage() {
        unsafe message.pointee = 0
    }

    /// What libcurl said about the last transfer, or what the code means in general.
    func explanation(of code: CURLcode) -> String {
        if unsafe message.pointee != 0 { return unsafe String(cString: message) }
        guard let meaning = unsafe curl_easy_strerror(code) else { return "libcurl error" }
        return unsafe String(cString: meaning)
    }
}

/// An option that libcurl does not take is an error: what a transfer promises rests on them.
extension EasyHandle {
    func set(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(unsafe herald_curl_set_long(unsafeHandle, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(TransportError) {
        try set(option, value ? 1 : 0)
    }

    /// libcurl keeps a copy.
    ///
    /// The string must not contain NUL.
    func set(_ option: CURLoption, _ value: String) throws(TransportError) {
        try check(unsafe herald_curl_set_string(unsafeHandle, option, value))
    }

    func setSize(_ option: CURLoption, _ value: Int) throws(TransportError) {
        try check(unsafe herald_curl_set_size(unsafeHandle, option, curl_off_t(value)))
    }

    /// The list must live until another one is set or the handle is freed.
    func setHeaders(_ list: borrowing HeaderList) throws(TransportError) {
        try check(unsafe herald_curl_set_headers(unsafeHandle, list.unsafeList))
    }

    /// What the pointer points to must outlive the transfers of this handle.
    @unsafe func setPointer(
        _ option: CURLoption,
        _ value: UnsafeMutableRawPointer
    ) throws(TransportError) {
        try check(unsafe herald_curl_set_pointer(unsafeHandle, option, value))
    }

    @unsafe func setWriter(
        _ option: CURLoption,
        _ callback: curl_write_callback
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
        guard code == CURLE_OK else { throw .notSent(.other, explanation(of: code)) }
    }
}
