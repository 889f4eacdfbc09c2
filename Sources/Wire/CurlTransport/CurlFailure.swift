internal import CLibCurl
internal import HTTPTransport

extension TransportError.Reason {
    /// Explains why a transfer failed with `code`.
    ///
    /// libcurl makes a second attempt when a reused connection dies. If the request may have been
    /// written, a failed address lookup, connection or handshake is that of the second attempt. The
    /// caller lost the first connection.
    init(_ code: CURLcode, mayHaveBeenSent: Bool) {
        switch Self.general(code) {
        case .badURL where mayHaveBeenSent: self = .malformedAnswer
        case .unresolvedHost where mayHaveBeenSent, .refusedConnection where mayHaveBeenSent,
            .failedTLS where mayHaveBeenSent:
            self = .lostConnection
        case let reason: self = reason
        }
    }

    private static func general(_ code: CURLcode) -> Self {
        switch code {
        // Also "HTTP/0.9 when not allowed" and "unsupported HTTP version", after sending.
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unresolvedHost
        case CURLE_COULDNT_CONNECT, CURLE_PROXY: .refusedConnection
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
            .failedTLS
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
            CURLE_SEND_FAIL_REWIND, CURLE_ABORTED_BY_CALLBACK:
            .lostConnection
        case CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR, CURLE_BAD_CONTENT_ENCODING:
            .malformedAnswer
        default: .other
        }
    }
}
