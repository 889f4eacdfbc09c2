internal import CLibCurl

/// libcurl's multi handle: many transfers on one thread.
///
/// Freed, with its connections, at the end.
@safe struct MultiHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer

    /// Nil when libcurl has no memory for it.
    init?() {
        guard let handle = unsafe curl_multi_init() else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe curl_multi_cleanup(handle)
    }

    /// Valid as long as this handle.
    var bell: Bell { unsafe Bell(handle: handle) }

    /// How many connections stay open for the next transfers.
    func keepConnections(_ count: Int) {
        _ = unsafe herald_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, count)
    }

    func add(_ easy: borrowing EasyHandle) -> CURLMcode {
        unsafe curl_multi_add_handle(handle, easy.unsafeHandle)
    }

    func remove(_ easy: borrowing EasyHandle) {
        _ = unsafe curl_multi_remove_handle(handle, easy.unsafeHandle)
    }

    /// Reads and writes whatever is ready, without waiting.
    func perform() -> CURLMcode {
        var running: Int32 = 0
        return unsafe curl_multi_perform(handle, &running)
    }

    /// Waits for a socket, one of libcurl's own timers, the bell, or the end of `limit`.
    ///
    /// `links`: the sockets of connections that are not libcurl's to read from.
    func wait(for links: [curl_waitfd], milliseconds limit: Int32) -> CURLMcode {
        var links = links
        return unsafe links.withUnsafeMutableBufferPointer {
            unsafe curl_multi_poll(handle, $0.baseAddress, UInt32($0.count), limit, nil)
        }
    }

    /// The next handle that has ended since the last time, with libcurl's result.
    @unsafe func nextEndedHandle() -> (handle: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        guard let easy = unsafe herald_curl_next_ended(handle, &result) else { return nil }
        return unsafe (easy, result)
    }

    /// The next transfer that has ended since the last time, with libcurl's result.
    func nextEnded() -> (transfer: Transfer, result: CURLcode)? {
        var result = CURLE_OK
        guard let easy = unsafe herald_curl_next_ended(handle, &result),
            let context = unsafe herald_curl_private(easy)
        else { return nil }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        return (transfer, result)
    }
}

/// Interrupts the wait of a multi handle, from any thread.
///
/// Must not be rung once the handle is freed: the mailbox rings it under its lock, and the thread
/// takes it out of the mailbox before it frees the handle.
@safe struct Bell: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    fileprivate init(handle: UnsafeMutableRawPointer) {
        unsafe self.handle = unsafe handle
    }

    func ring() {
        _ = unsafe curl_multi_wakeup(handle)
    }
}
