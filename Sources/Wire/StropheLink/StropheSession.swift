internal import CLibStrophe
internal import SystemIO
internal import Upstream

/// libstrophe's objects for one connection, and what its callbacks report.
///
/// A class, because the callbacks refer to it. Only the thread that created it may use it.
@safe final class StropheSession {
    private let endpoint: UpstreamEndpoint
    /// Receives libstrophe's socket when it opens, and nil when it is closed.
    private let useSocket: (SharedSocket?) -> Void
    private let unsafeLog: UnsafeMutablePointer<xmpp_log_t>
    private var unsafeContext: OpaquePointer?
    private var unsafeConnection: OpaquePointer?
    private var events: [LinkEvent] = []
    private var attempt = ConnectAttempt()
    /// The number of stanzas since the session began.
    private var stanzas = 0
    /// Calls of libstrophe in a row that delivered no stanza.
    private var quietRuns = 0
    private var isClosing = false
    private var isUnreadable = false
    private(set) var isConnected = false
    private(set) var hasEnded = false

    init(to endpoint: UpstreamEndpoint, useSocket: @escaping (SharedSocket?) -> Void) {
        self.endpoint = endpoint
        self.useSocket = useSocket
        unsafe unsafeLog = .allocate(capacity: 1)
        unsafe unsafeLog.initialize(to: xmpp_log_t(handler: nil, userdata: nil))
        let context = unsafe xmpp_ctx_new(nil, unsafeLog)
        unsafe unsafeContext = context
        unsafe unsafeConnection = context.flatMap { unsafe xmpp_conn_new($0) }
        unsafe unsafeLog.pointee = xmpp_log_t(
            handler: { owner, _, _, text in unsafe session(owner)?.log(text) },
            userdata: Unmanaged.passUnretained(self).toOpaque()
        )
    }

    deinit {
        unsafe unsafeLog.deallocate()
    }

    /// Frees libstrophe's objects; not in the deinitializer, because libstrophe calls back.
    func release() {
        if let connection = unsafe unsafeConnection {
            _ = unsafe xmpp_conn_release(connection)
            unsafe SessionRegistry.remove(connection)
        }
        if let context = unsafe unsafeContext { unsafe xmpp_ctx_free(context) }
        unsafe unsafeConnection = nil
        unsafe unsafeContext = nil
    }

    func takeEvents() -> [LinkEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Whether something waits for room in the connection.
    var isSending: Bool {
        guard let connection = unsafe unsafeConnection else { return false }
        return unsafe xmpp_conn_send_queue_len(connection) > 0
    }

    func connect() {
        guard let connection = unsafe unsafeConnection else {
            return end(.unreachable(reason: "libstrophe has no memory"))
        }
        unsafe configure(connection)
        let result = unsafe xmpp_connect_client(
            connection,
            endpoint.host,
            UInt16(clamping: endpoint.port),
            { _, event, error, streamError, owner in
                unsafe session(owner)?.changed(event, error: error, streamError: streamError)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
        if result != XMPP_EOK {
            end(.unreachable(reason: attempt.reason ?? "the host name has no address"))
        }
    }

    private func configure(_ connection: OpaquePointer) {
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe SessionRegistry.add(connection, self)
        _ = unsafe xmpp_conn_set_flags(connection, herald_strophe_flags())
        unsafe xmpp_conn_set_jid(connection, "\(endpoint.user)@\(endpoint.domain)")
        unsafe xmpp_conn_set_pass(connection, endpoint.serverKey.text)
        if let file = endpoint.authorities { unsafe xmpp_conn_set_cafile(connection, file) }
        unsafe xmpp_conn_set_sockopt_callback(connection) { connection, socket in
            let number = unsafe socket?.load(as: CInt.self)
            unsafe SessionRegistry.session(of: connection)?.opened(number)
            return 0
        }
        unsafe xmpp_handler_add(
            connection,
            { _, stanza, owner in
                if let stanza = unsafe stanza { unsafe session(owner)?.received(stanza) }
                return 1
            },
            nil,
            "message",
            nil,
            owner
        )
    }

    func perform(_ work: StropheLink.Work) {
        guard let connection = unsafe unsafeConnection else { return }
        if isConnected, !work.bytes.isEmpty {
            unsafe work.bytes.withUnsafeBytes { bytes in
                let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress
                unsafe xmpp_send_raw(connection, start, bytes.count)
            }
        }
        if work.isAborted, !hasEnded { return end(.closedHere) }
        guard work.isClosing, !isClosing else { return }
        isClosing = true
        if isConnected { unsafe xmpp_disconnect(connection) } else { end(.closedHere) }
    }

    /// Sends and receives until nothing is left to receive.
    ///
    /// A TLS record has up to 16 KiB, of which each call reads 4 KiB; poll(2) does not see the rest. So
    /// five calls without a stanza show that no whole stanza is left.
    func pump() {
        guard let context = unsafe unsafeContext, !hasEnded else { return }
        guard isConnected else {
            unsafe xmpp_run_once(context, 20)
            if isUnreadable { end(.unreachable(reason: "the server sent XML that cannot be read")) }
            return
        }
        quietRuns = 0
        while hasMore, events.count < Self.burst, !hasEnded {
            let before = stanzas
            unsafe xmpp_run_once(context, 0)
            quietRuns = stanzas == before ? quietRuns + 1 : 0
            if isUnreadable { end(.cut(reason: "the server sent XML that cannot be read")) }
        }
    }

    /// Whether the last `pump` may have left input that poll(2) does not see.
    var hasMore: Bool { quietRuns < Self.enoughQuietRuns }

    private static let enoughQuietRuns = 5
    /// Events of one delivery.
    private static let burst = 256

    private func end(_ end: ConnectionEnd) {
        guard !hasEnded else { return }
        hasEnded = true
        isConnected = false
        useSocket(nil)
        events.append(.ended(end))
    }
}

// MARK: - What libstrophe reports

extension StropheSession {
    fileprivate func opened(_ descriptor: CInt?) {
        useSocket(descriptor.flatMap { SharedSocket(of: $0) })
    }

    /// While the connection is open, libstrophe logs each stanza: no copy is made of those.
    fileprivate func log(_ text: UnsafePointer<CChar>?) {
        guard let text = unsafe text else { return }
        if unsafe herald_strophe_is_parse_error(text) != 0 {
            isUnreadable = true
        } else if !isConnected {
            attempt.read(unsafe String(cString: text))
        }
    }

    fileprivate func changed(
        _ event: xmpp_conn_event_t,
        error: CInt,
        streamError: UnsafeMutablePointer<xmpp_stream_error_t>?
    ) {
        if event == XMPP_CONN_CONNECT { return connected() }
        let name = unsafe herald_strophe_stream_error(streamError)
        let condition = unsafe name.map { unsafe String(cString: $0) }
        if isClosing { return end(.closedHere) }
        guard isConnected else { return end(attempt.end(error: error, condition: condition)) }
        end(.cut(reason: condition ?? Self.reason(of: error)))
    }

    /// libstrophe passes on the code of SSL_get_error(3), or an error number of the system.
    private static func reason(of error: CInt) -> String {
        switch error {
        case 0, 6: "closed by the server"
        case 1: "TLS failed"
        case 5: "closed without notice"
        default: SystemError(number: error).reason
        }
    }

    private func connected() {
        isConnected = true
        events.append(.connected)
        guard let address = endpoint.announced, let connection = unsafe unsafeConnection,
            let context = unsafe unsafeContext,
            let presence = unsafe xmpp_presence_new(context)
        else { return }
        _ = unsafe xmpp_stanza_set_to(presence, address)
        unsafe xmpp_send(connection, presence)
        _ = unsafe xmpp_stanza_release(presence)
    }

    fileprivate func received(_ stanza: OpaquePointer) {
        stanzas += 1
        if unsafe text(xmpp_stanza_get_type(stanza)) == "error" {
            return events.append(unsafe stanzaError(stanza))
        }
        guard
            let element = unsafe xmpp_stanza_get_child_by_name_and_ns(
                stanza,
                "gcm",
                GCMStanza.namespace
            )
        else { return events.append(.foreignStanza) }
        let peer = unsafe text(xmpp_stanza_get_from(stanza))
        events.append(.payload(unsafe content(of: element), peer: peer))
    }

    private func content(of element: OpaquePointer) -> [UInt8] {
        guard let context = unsafe unsafeContext,
            let start = unsafe xmpp_stanza_get_text(element)
        else { return [] }
        defer { unsafe xmpp_free(context, start) }
        let count = unsafe Int(herald_strophe_length(start))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func stanzaError(_ stanza: OpaquePointer) -> LinkEvent {
        let error = unsafe xmpp_stanza_get_child_by_name(stanza, "error")
        let code = unsafe error.flatMap { unsafe text(xmpp_stanza_get_attribute($0, "code")) }
        let child = unsafe error.flatMap { unsafe xmpp_stanza_get_child_by_name($0, "text") }
        let reason = unsafe child.map { unsafe String(decoding: content(of: $0), as: UTF8.self) }
        return .stanzaError(code: code ?? "", text: reason ?? "")
    }

    private func text(_ start: UnsafePointer<CChar>?) -> String? {
        unsafe start.map { unsafe String(cString: $0) }
    }
}

private func session(_ owner: UnsafeMutableRawPointer?) -> StropheSession? {
    unsafe owner.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
}
