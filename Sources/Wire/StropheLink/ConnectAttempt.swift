internal import SystemIO
internal import Upstream

/// The state of a connect that has not succeeded yet.
///
/// libstrophe reports only that the connection ended. Its log names the step; these texts are those of
/// libstrophe 0.12 (`event.c`, `conn.c`, `auth.c`, `tls_openssl.c`).
struct ConnectAttempt {
    /// OpenSSL's reason for refusing the certificate, such as `cert has expired`.
    private var distrust: String?
    /// OpenSSL's reason for the end of the handshake, such as `unrecognized name`.
    private var handshake: String?
    private(set) var reason: String?
    private var isDenied = false
    private var hasFailedHandshake = false

    mutating func read(_ line: String) {
        if line.hasPrefix("SASL "), line.hasSuffix(" auth failed") {
            isDenied = true
        } else if line.hasPrefix("Cannot authenticate") {
            isDenied = true
        } else if line.hasPrefix("Certificate verification FAILED, result=X509_V_ERR_") {
            distrust = Self.words(afterLast: "X509_V_ERR_", of: line, upTo: "(")
        } else if line.hasPrefix("error:") {
            handshake = Self.words(afterLast: ":", of: line, upTo: "\n")
        } else if line.hasPrefix("Couldn't start TLS") {
            hasFailedHandshake = true
        } else if line.hasPrefix("Connection attempt timed out") {
            reason = "the connect timed out"
        } else if line.hasPrefix("connection failed, error "),
            let number = line.split(separator: " ").last.flatMap({ CInt($0) })
        {
            reason = SystemError(number: number).reason
        }
    }

    /// Such as `cert has expired` of `X509_V_ERR_CERT_HAS_EXPIRED(10)`.
    private static func words(
        afterLast mark: String,
        of line: String,
        upTo end: Character
    ) -> String {
        let parts = line.split(separator: mark, omittingEmptySubsequences: false)
        let text = parts.last.map { $0.prefix { $0 != end } } ?? ""
        return text.lowercased().split(separator: "_").joined(separator: " ")
    }

    /// Names the end of the attempt.
    ///
    /// `error`: an error number of libstrophe or the system. `condition`: that of a stream error.
    func end(error: CInt, condition: String?) -> ConnectionEnd {
        if let distrust { return .untrusted(reason: distrust) }
        if hasFailedHandshake {
            return .untrusted(reason: handshake ?? "the TLS handshake ended early")
        }
        if isDenied || condition == "not-authorized" { return .denied }
        return .unreachable(
            reason: condition ?? reason ?? "the server closed the connection before it was usable"
        )
    }
}
