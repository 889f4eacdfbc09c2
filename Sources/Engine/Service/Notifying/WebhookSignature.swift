import Crypto
package import HTTPTransport
import Text

/// Signs the body of a notification, so that its receiver can check who sent it and when.
package enum WebhookSignature {
    /// Signs the body of one attempt.
    ///
    /// The signature is `v1=` and the hexadecimal HMAC-SHA-256 of the timestamp, a full stop and the
    /// body.
    ///
    /// - Parameters:
    ///   - body: The bytes that are sent.
    ///   - secret: The key; nil leaves out the signature.
    ///   - seconds: The Unix time of the attempt.
    /// - Returns: The headers `Herald-Timestamp` and `Herald-Signature`.
    package static func headers(
        for body: [UInt8],
        with secret: [UInt8]?,
        at seconds: Int64
    ) -> [HTTPHeader] {
        let timestamp = HTTPHeader(name: "Herald-Timestamp", value: String(seconds))
        guard let secret else { return [timestamp] }
        let signed = Array("\(seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
        let value = "v1=" + Hexadecimal.text(of: code)
        return [timestamp, HTTPHeader(name: "Herald-Signature", value: value)]
    }
}
