internal import CLibCurl
internal import FoundationEssentials
internal import HTTPTransport

extension EasyHandle {
    /// What holds for every transfer.
    func setFixedOptions(
        _ configuration: CurlTransport.Configuration
    ) throws(TransportError) {
        // Not libcurl's HTTP/2, as of 7.88: over cleartext it cannot reuse a connection (curl issue
        // 10634), it resets every completed stream whose answer has no content-length, which
        // servers that guard against rapid resets punish by closing the connection, and it does
        // not say that a stream was refused. `HTTP2Link` speaks it.
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_SSL_VERIFYPEER, true)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.trustedCertificates { try set(CURLOPT_CAINFO, file) }
        if let folder = configuration.trustedFolder { try set(CURLOPT_CAPATH, folder) }
        try set(CURLOPT_NOPROXY, Self.direct)
        try set(CURLOPT_FOLLOWLOCATION, false)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        try set(
            CURLOPT_CONNECTTIMEOUT_MS,
            max(1, configuration.connectTimeLimit.roundedUpToMilliseconds)
        )
        let idle = configuration.olderIdleTimeLimit
        try set(CURLOPT_MAXAGE_CONN, max(1, idle.roundedUpToMilliseconds / 1_000))
        try set(CURLOPT_NOSIGNAL, true)
        // Otherwise a transfer that ends during name resolution halts this thread, and with it
        // every other transfer, until the resolver returns.
        try set(CURLOPT_QUICK_EXIT, true)
    }

    /// Hosts that no proxy is asked for: those of the environment, and in any case this machine and
    /// the metadata server that a machine of Google's has for itself.
    private static let direct: String = {
        let variables = ProcessInfo.processInfo.environment
        let hosts = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
        return hosts == "*"
            ? hosts
            : hosts + ",127.0.0.1,localhost,::1,"
                + "metadata.google.internal,169.254.169.254"
    }()

    func setMethod(_ method: HTTPRequest.Method, bodyLength: Int) throws(TransportError) {
        // With a body or without, these two methods announce its length.
        if bodyLength > 0 || method == .post || method == .patch {
            try set(CURLOPT_POST, true)
            try setSize(CURLOPT_POSTFIELDSIZE_LARGE, bodyLength)
        } else {
            try set(CURLOPT_HTTPGET, true)
        }
        try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
    }
}

extension Duration {
    /// At most what libcurl takes on every platform, some 24 days.
    var roundedUpToMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let rest = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
        return Int(seconds * 1_000 + rest)
    }
}
