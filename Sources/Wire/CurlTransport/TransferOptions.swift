internal import CLibCurl
internal import FoundationEssentials
internal import HTTPTransport

extension EasyHandle {
    /// Sets the options that are the same for every transfer.
    func setFixedOptions(
        _ configuration: CurlTransport.Configuration
    ) throws(TransportError) {
        // libcurl's own HTTP/2 is not used, as of 7.88, for three reasons. Over cleartext it cannot
        // reuse a connection (curl issue 10634). It resets every completed stream whose answer has
        // no content-length, and servers with protection against rapid resets close the connection.
        // It does not report refused streams. `HTTP2Link` implements HTTP/2 instead.
        try set(CURLOPT_HTTP_VERSION, to: Int(CURL_HTTP_VERSION_1_1))
        try set(CURLOPT_PROTOCOLS_STR, to: "http,https")
        try set(CURLOPT_SSL_VERIFYPEER, to: true)
        try set(CURLOPT_SSL_VERIFYHOST, to: 2)
        if let file = configuration.trustedCertificates { try set(CURLOPT_CAINFO, to: file) }
        if let folder = configuration.trustedFolder { try set(CURLOPT_CAPATH, to: folder) }
        try set(CURLOPT_NOPROXY, to: Self.direct)
        try set(CURLOPT_FOLLOWLOCATION, to: false)
        try set(CURLOPT_NETRC, to: Int(CURL_NETRC_IGNORED.rawValue))
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, to: true)
        try set(CURLOPT_USERAGENT, to: configuration.userAgent)
        try set(
            CURLOPT_CONNECTTIMEOUT_MS,
            to: max(1, configuration.connectTimeLimit.roundedUpToMilliseconds)
        )
        let idle = configuration.olderIdleTimeLimit
        try set(CURLOPT_MAXAGE_CONN, to: max(1, idle.roundedUpToMilliseconds / 1_000))
        try set(CURLOPT_NOSIGNAL, to: true)
        // Without this option, a transfer that ends during name resolution blocks this thread and
        // all other transfers until the resolver returns.
        try set(CURLOPT_QUICK_EXIT, to: true)
    }

    /// Hosts that never use a proxy: those from the environment, this machine, and a Google
    /// machine's own metadata server.
    private static let direct: String = {
        let variables = ProcessInfo.processInfo.environment
        let hosts = variables["no_proxy"] ?? variables["NO_PROXY"] ?? ""
        return hosts == "*"
            ? hosts
            : hosts + ",127.0.0.1,localhost,::1,"
                + "metadata.google.internal,169.254.169.254"
    }()

    func setMethod(_ method: HTTPRequest.Method, bodyLength: Int) throws(TransportError) {
        // These two methods send the body's length even if there is no body.
        if bodyLength > 0 || method == .post || method == .patch {
            try set(CURLOPT_POST, to: true)
            try setSize(CURLOPT_POSTFIELDSIZE_LARGE, to: bodyLength)
        } else {
            try set(CURLOPT_HTTPGET, to: true)
        }
        try set(CURLOPT_CUSTOMREQUEST, to: method.rawValue)
    }
}

extension Duration {
    /// Limited to the maximum that libcurl takes on every platform, about 24 days.
    var roundedUpToMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_000_000 else { return 2_000_000_000 }
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let attosecondsPerMillisecond: Int64 = 1_000_000_000_000_000
        let rest = (attoseconds + attosecondsPerMillisecond - 1) / attosecondsPerMillisecond
        return Int(seconds * 1_000 + rest)
    }
}
