internal import CLibNGHTTP2

/// libnghttp2's state of one HTTP/2 client connection; freed at the end.
///
/// It reads and writes no socket. It takes and produces bytes, and reports their meaning to its
/// `HTTP2Link`, which must live longer than this object. A class, because link and session call
/// each other.
@safe final class HTTP2Session {
    private let session: OpaquePointer
    private let request = unsafe [
        field(":method", value: "POST"), field(":scheme", value: "https"),
        field(":path", value: "/"),
    ]

    /// Receive windows of a stream and of the connection, in bytes.
    private static let streamWindow: UInt32 = 1 << 20
    private static let connectionWindow: Int32 = 16 << 20

    /// Nil if libnghttp2 is out of memory.
    init?(for link: HTTP2Link) {
        var callbacks: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
        defer { unsafe nghttp2_session_callbacks_del(callbacks) }
        unsafe HTTP2Link.setCallbacks(callbacks)
        var session: OpaquePointer?
        let context = unsafe Unmanaged.passUnretained(link).toOpaque()
        guard unsafe nghttp2_session_client_new(&session, callbacks, context) == 0,
            let session = unsafe session
        else { return nil }
        unsafe self.session = unsafe session
        guard announce() else { return nil }
    }

    deinit {
        unsafe nghttp2_session_del(session)
    }

    private static func field(_ name: StaticString, value: StaticString) -> nghttp2_nv {
        // libnghttp2 does not write here, although its type is not const.
        unsafe nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutablePointer(mutating: value.utf8Start),
            namelen: name.utf8CodeUnitCount,
            valuelen: value.utf8CodeUnitCount,
            flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)
                | UInt8(NGHTTP2_NV_FLAG_NO_COPY_VALUE.rawValue)
        )
    }

    private func announce() -> Bool {
        let settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue),
                value: 0
            ),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: Self.streamWindow
            ),
        ]
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        return unsafe nghttp2_submit_settings(session, flags, settings, settings.count) == 0
            && nghttp2_session_set_local_window_size(session, flags, 0, Self.connectionWindow) == 0
    }

    /// The number of concurrent streams that the server allows.
    var maximumStreams: Int {
        let id = NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS
        return Int(unsafe nghttp2_session_get_remote_settings(session, id))
    }

    /// The number of body bytes that the server accepts now, on all streams together.
    var remoteWindow: Int { Int(unsafe nghttp2_session_get_remote_window_size(session)) }

    /// Sends a PING, which the server must answer.
    func ping() {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        _ = unsafe nghttp2_submit_ping(session, flags, nil)
    }

    /// False after a GOAWAY frame, or when no stream numbers remain.
    var takesRequests: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

    /// False after the connection has ended.
    var isAlive: Bool {
        unsafe nghttp2_session_want_read(session) != 0
            || nghttp2_session_want_write(session) != 0
    }

    /// The size of the server's header table.
    var headerTableSize: Int {
        let id = NGHTTP2_SETTINGS_HEADER_TABLE_SIZE
        return Int(unsafe nghttp2_session_get_remote_settings(session, id))
    }

    /// Returns the number of the new stream, or nil if none can be opened.
    ///
    /// libnghttp2 gets only the required fields, because its header block is replaced when it is
    /// written.
    func submit(hasBody: Bool) -> Int32? {
        let number = unsafe request.withUnsafeBufferPointer { entries in
            var provider = unsafe nghttp2_data_provider()
            unsafe provider.read_callback = unsafe HTTP2Link.bodyReader
            return unsafe withUnsafePointer(to: &provider) { provider in
                unsafe nghttp2_submit_request(
                    session,
                    nil,
                    entries.baseAddress,
                    entries.count,
                    hasBody ? provider : nil,
                    nil
                )
            }
        }
        return number > 0 ? number : nil
    }

    /// Ends a stream locally.
    func cancel(_ stream: Int32) {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        _ = unsafe nghttp2_submit_rst_stream(session, flags, stream, NGHTTP2_CANCEL.rawValue)
    }

    /// Returns false if the bytes are not valid HTTP/2.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count) == bytes.count
    }

    /// Returns the next frames to write; empty if there are none, nil if the session failed.
    ///
    /// Valid until the next call of any function of this class.
    @unsafe func produce() -> UnsafeBufferPointer<UInt8>? {
        var start: UnsafePointer<UInt8>?
        let count = unsafe nghttp2_session_mem_send(session, &start)
        return count >= 0 ? unsafe UnsafeBufferPointer(start: start, count: count) : nil
    }
}
