internal import CLibCurl
internal import HTTPTransport

/// libcurl's multi handle: many transfers on one thread.
///
/// It is freed at the end, with its connections.
@safe struct MultiHandle: ~Copyable {
    private let handle: UnsafeMutableRawPointer

    /// Loads libcurl at the first use.
    ///
    /// Fails if that is impossible or if libcurl is out of memory.
    init() throws(TransportError) {
        if let failure = CurlLibrary.failure { throw .notSent(.other, detail: failure) }
        guard let handle = unsafe herald_curl_multi_init() else {
            throw .notSent(.other, detail: "libcurl could not allocate a handle")
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe herald_curl_multi_cleanup(handle)
    }

    /// Valid as long as this handle exists.
    var bell: WakeupHandle { unsafe WakeupHandle(handle: handle) }

    /// Sets how many connections stay open for later transfers.
    func keepConnections(_ count: Int) {
        _ = unsafe herald_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, count)
    }

    func add(_ easy: borrowing EasyHandle) -> CURLMcode {
        unsafe herald_curl_multi_add_handle(handle, easy.unsafeHandle)
    }

    func remove(_ easy: borrowing EasyHandle) {
        _ = unsafe herald_curl_multi_remove_handle(handle, easy.unsafeHandle)
    }

    /// Reads and writes all ready sockets, without waiting.
    func perform() -> CURLMcode {
        var running: Int32 = 0
        return unsafe herald_curl_multi_perform(handle, &running)
    }

    /// Waits for a socket, a libcurl timer, the bell or the end of `limit`.
    ///
    /// `links`: the sockets of connections that libcurl does not read.
    func wait(for links: [curl_waitfd], milliseconds limit: Int32) -> CURLMcode {
        var links = links
        return unsafe links.withUnsafeMutableBufferPointer {
            unsafe herald_curl_multi_poll(handle, $0.baseAddress, UInt32($0.count), limit)
        }
    }

    /// Returns the next handle that has completed since the last call, with libcurl's result.
    @unsafe func nextEndedHandle() -> (handle: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        guard let easy = unsafe herald_curl_next_ended(handle, &result) else { return nil }
        return unsafe (easy, result)
    }

    /// Returns the next transfer that has completed since the last call, with libcurl's result.
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
/// It must not ring after the handle is freed. The mailbox rings it under its lock, and the thread
/// removes it from the mailbox before it frees the handle.
@safe struct WakeupHandle: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    fileprivate init(handle: UnsafeMutableRawPointer) {
        unsafe self.handle = unsafe handle
    }

    func ring() {
        _ = unsafe herald_curl_multi_wakeup(handle)
    }
}
