internal import CLibNGHTTP2

/// libnghttp2's state of one HTTP/2 connection, as a client; freed at the end.
///
/// It reads and writes no socket: bytes go in, bytes come out, and what they mean reaches the
/// `HTTP2Link` that it was made for, which must outlive it. A class, because the link calls it
/// while it may be called by it.
@safe final class HTTP2Session {
    private let session: OpaquePointer
    private let request = unsafe [
        field(":method", "POST"), field(":scheme", "https"), field(":path", "/"),
    ]

    /// For how much of answers a stream and the connection have room before they are read.
    private static let streamWindow: UInt32 = 1 << 20
    private static let connectionWindow: Int32 = 16 << 20

    /// Nil when libnghttp2 has no memory for it.
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

    private static func field(_ name: StaticString, _ value: StaticString) -> nghttp2_nv {
        // libnghttp2 changes nothing; its type is not const.
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

    /// How many streams the server lets be open at once.
    var maximumStreams: Int {
        let id = NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS
        return Int(unsafe nghttp2_session_get_remote_settings(session, id))
    }

    /// How many bytes of bodies the server takes at once, on all streams together.
    var remoteWindow: Int { Int(unsafe nghttp2_session_get_remote_window_size(session)) }

    /// Asks the server for a sign of life.
    func ping() {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        _ = unsafe nghttp2_submit_ping(session, flags, nil)
    }

    /// False after a GOAWAY frame, and where the numbers of streams are used up.
    var takesRequests: Bool { unsafe nghttp2_session_check_request_allowed(session) != 0 }

    /// False when the connection has come to its end.
    var isAlive: Bool {
        unsafe nghttp2_session_want_read(session) != 0
            || nghttp2_session_want_write(session) != 0
    }

    /// How large a table of header fields the server keeps.
    var headerTableSize: Int {
        let id = NGHTTP2_SETTINGS_HEADER_TABLE_SIZE
        return Int(unsafe nghttp2_session_get_remote_settings(session, id))
    }

    /// The number of the new stream; nil where there can be none.
    ///
    /// libnghttp2 is told no more than what it must know of a request: its header block is replaced
    /// when it is written.
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

    /// Ends a stream from this side.
    func cancel(_ stream: Int32) {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        _ = unsafe nghttp2_submit_rst_stream(session, flags, stream, NGHTTP2_CANCEL.rawValue)
    }

    /// False when what came is no HTTP/2.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count) == bytes.count
    }

    /// The next frames that are to be written, empty when there are none; nil when the session broke
    /// down.
    ///
    /// Valid until the next call of anything here.
    @unsafe func produce() -> UnsafeBufferPointer<UInt8>? {
        var start: UnsafePointer<UInt8>?
        let count = unsafe nghttp2_session_mem_send(session, &start)
        return count >= 0 ? unsafe UnsafeBufferPointer(start: start, count: count) : nil
    }
}
