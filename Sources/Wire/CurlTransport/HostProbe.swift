internal import CLibCurl
package import HTTPTransport
internal import SystemIO

/// Checks whether hosts accept TCP connections at their ports, without a proxy, as devices connect.
package struct HostProbe: Sendable {
    package struct Target: Hashable, Sendable {
        package let host: String
        package let port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    package enum Result: Hashable, Sendable {
        /// `after`: duration of name resolution and connection.
        case connected(address: String, after: Duration)
        case failed(TransportError.Reason, detail: String)
    }

    /// Limits name resolution and connection together.
    private let timeLimit: Duration
    /// Rules that replace the addresses of hosts.
    private let connectTo: [String]

    /// Creates a probe.
    ///
    /// `connectTo`: rules in the form `HOST:PORT:HOST:PORT`; an empty first or second part matches
    /// any value (curl's `--connect-to`).
    package init(timeLimit: Duration, connectTo: [String] = []) {
        self.timeLimit = timeLimit
        self.connectTo = connectTo
    }

    /// Connects to all targets and returns one result per target, in order.
    ///
    /// Blocks the thread until all results are available.
    package func connect(_ targets: [Target]) -> [Result] {
        do throws(TransportError) {
            return try connect(targets, on: MultiHandle())
        } catch {
            return targets.map { _ in .failed(error.reason, detail: error.detail) }
        }
    }

    private func connect(_ targets: [Target], on multi: borrowing MultiHandle) -> [Result] {
        let probes = targets.map { target in
            Swift.Result { () throws(TransportError) in try open(target, on: multi) }
        }
        let result = probes.map { probe -> Result in
            switch probe {
            case .failure(let error): .failed(error.reason, detail: error.detail)
            case .success(let connection): finish(connection, on: multi)
            }
        }
        for case .success(let connection) in probes { multi.remove(connection.easy) }
        return result
    }

    private func open(
        _ target: Target,
        on multi: borrowing MultiHandle
    ) throws(TransportError) -> ProbeConnection {
        let connection = try ProbeConnection(to: target, timeLimit: timeLimit, connectTo: connectTo)
        guard multi.add(connection.easy) == CURLM_OK else {
            throw .notSent(.other, detail: "libcurl did not accept the connection")
        }
        return connection
    }

    /// Runs all connections until this one has ended.
    private func finish(_ connection: ProbeConnection, on multi: borrowing MultiHandle) -> Result {
        while connection.outcome == nil {
            guard multi.perform() == CURLM_OK else { break }
            while let (handle, code) = unsafe multi.nextEndedHandle() {
                unsafe ProbeConnection.of(handle)?.outcome = code
            }
            guard connection.outcome == nil else { break }
            guard multi.wait(for: [], milliseconds: 1_000) == CURLM_OK else { break }
        }
        return connection.result
    }
}

/// The result of leaving a connection idle.
package enum IdleResult: Hashable, Sendable {
    /// The server still answered at the end.
    case stayed
    /// The server or a device on the path closed the connection after this time.
    case ended(after: Duration)
    /// The connection looked open, but the server did not answer.
    case silent
    case unreached(TransportError.Reason, detail: String)
}

extension HostProbe {
    /// Opens a connection, leaves it idle for a duration, and then checks whether the server
    /// answers; blocks the thread.
    ///
    /// A TLS server answers other bytes with an alert or closes the connection. Either shows that
    /// the path is still open.
    package func hold(
        _ target: Target,
        for length: Duration
    ) -> IdleResult {
        do throws(TransportError) {
            return try hold(target, for: length, on: MultiHandle())
        } catch {
            return .unreached(error.reason, detail: error.detail)
        }
    }

    private func hold(
        _ target: Target,
        for length: Duration,
        on multi: borrowing MultiHandle
    ) throws(TransportError) -> IdleResult {
        let connection = try open(target, on: multi)
        defer { multi.remove(connection.easy) }
        if case .failed(let reason, let detail) = finish(connection, on: multi) {
            return .unreached(reason, detail: detail)
        }
        let beginning = ContinuousClock.now
        if connection.isReadable(within: length) {
            return .ended(after: beginning.duration(to: .now))
        }
        return connection.isAnswered(within: min(length, .seconds(10))) ? .stayed : .silent
    }
}

/// One connection that is only opened.
///
/// A class, because libcurl's handle holds a pointer to it.
private final class ProbeConnection {
    let easy: EasyHandle
    var outcome: CURLcode?
    private let rules: ConnectRules

    init(
        to target: HostProbe.Target,
        timeLimit: Duration,
        connectTo: [String]
    ) throws(TransportError) {
        easy = try EasyHandle()
        rules = try ConnectRules(connectTo)
        let host = target.host.contains(":") ? "[\(target.host)]" : target.host
        try easy.set(CURLOPT_URL, to: "http://\(host):\(target.port)/")
        try easy.set(CURLOPT_CONNECT_ONLY, to: true)
        try easy.set(CURLOPT_NOPROXY, to: "*")
        try easy.set(CURLOPT_FRESH_CONNECT, to: true)
        try easy.set(CURLOPT_NOSIGNAL, to: true)
        try easy.set(CURLOPT_QUICK_EXIT, to: true)
        let limit = max(1, timeLimit.roundedUpToMilliseconds)
        try easy.set(CURLOPT_TIMEOUT_MS, to: limit)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, to: limit)
        try easy.setRules(rules)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe easy.setPointer(CURLOPT_PRIVATE, to: context)
    }

    static func of(_ handle: UnsafeMutableRawPointer) -> ProbeConnection? {
        guard let context = unsafe herald_curl_private(handle) else { return nil }
        return unsafe Unmanaged<ProbeConnection>.fromOpaque(context).takeUnretainedValue()
    }

    var result: HostProbe.Result {
        guard outcome == CURLE_OK else {
            let code = outcome ?? CURLE_OPERATION_TIMEDOUT
            return .failed(
                TransportError.Reason(code, mayHaveBeenSent: false),
                detail: easy.explanation(of: code)
            )
        }
        return .connected(address: easy.peer, after: easy.connectTime)
    }

    /// Whether data arrived or the connection ended.
    func isReadable(within limit: Duration) -> Bool {
        InputReadiness.wait(for: easy.socket, until: .now + limit)
    }

    func isAnswered(within limit: Duration) -> Bool {
        let words = Array("GET / HTTP/1.0\r\n\r\n".utf8)
        let sent = unsafe words.withUnsafeBytes { unsafe easy.send($0) }
        guard sent.error == nil, isReadable(within: limit) else { return false }
        var space = [UInt8](repeating: 0, count: 1_024)
        return unsafe space.withUnsafeMutableBytes {
            switch unsafe easy.receive(into: $0) {
            case .bytes: true
            // An orderly close is an answer. A firewall, too, can send a reset.
            case .ended(let reason): reason == EasyHandle.orderlyEnd
            case .nothingNow: false
            }
        }
    }
}

/// Rules for CURLOPT_CONNECT_TO; freed at the end.
@safe struct ConnectRules: ~Copyable {
    @unsafe private(set) var unsafeList: UnsafeMutablePointer<curl_slist>?

    init(_ rules: [String]) throws(TransportError) {
        for rule in rules {
            guard let list = unsafe herald_curl_slist_append(unsafeList, rule) else {
                throw .notSent(.other, detail: "libcurl could not allocate a rule")
            }
            unsafe unsafeList = unsafe list
        }
    }

    deinit {
        unsafe herald_curl_slist_free_all(unsafeList)
    }
}

extension EasyHandle {
    /// Sets the rules, which must live as long as the handle.
    fileprivate func setRules(_ rules: borrowing ConnectRules) throws(TransportError) {
        guard unsafe rules.unsafeList != nil else { return }
        let code = unsafe herald_curl_set_list(
            unsafeHandle,
            CURLOPT_CONNECT_TO,
            rules.unsafeList
        )
        guard code == CURLE_OK else { throw .notSent(.other, detail: explanation(of: code)) }
    }

    fileprivate var peer: String {
        guard let address = unsafe herald_curl_peer(unsafeHandle) else { return "" }
        return unsafe String(cString: address)
    }

    fileprivate var connectTime: Duration {
        .microseconds(unsafe herald_curl_connect_time(unsafeHandle))
    }
}
