import Crypto
import Text

/// Verifies the signature of a request: its form is that of the notifications that Herald sends.
///
/// The signature is `v1=` and the hexadecimal HMAC-SHA-256 of the time, a full stop and the body. The
/// body contains the message ID, so that a signature is good for one message.
package struct RequestSignature: Sendable {
    private let key: SymmetricKey
    /// Signatures that were accepted, and the Unix times from which they are too old.
    private var seen: [String: Int64] = [:]
    private var order: [(signature: String, end: Int64)] = []
    private var first = 0

    /// How far the time of a request may differ from this machine's, in seconds.
    package static let tolerance: Int64 = 300

    package enum Failure: Error, Hashable, Sendable {
        case wrongForm
        case wrongTime
        case wrongSignature
        case replayed
    }

    package init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Checks a request, and returns its signature, which `spend` makes unusable.
    ///
    /// `time` and `signature`: the values of the headers. `now`: the Unix time.
    package func verify(
        time: String,
        signature: String,
        body: [UInt8],
        now: Int64
    ) throws(Failure) -> String {
        guard let seconds = Int64(time), signature.hasPrefix("v1="),
            let code = Hexadecimal.bytes(signature.utf8.dropFirst(3))
        else { throw .wrongForm }
        // The subtraction of any two times must not overflow.
        let isNear = seconds > now - Self.tolerance - 1 && seconds < now + Self.tolerance + 1
        guard isNear else { throw .wrongTime }
        let isRight = HMAC<SHA256>.isValidAuthenticationCode(
            code,
            authenticating: Array("\(seconds).".utf8) + body,
            using: key
        )
        guard isRight else { throw .wrongSignature }
        let spelling = "\(seconds)." + Hexadecimal.text(of: code)
        guard seen[spelling] == nil else { throw .replayed }
        return spelling
    }

    /// Refuses the signature from now on; false if it was spent before.
    package mutating func spend(_ signature: String, now: Int64) -> Bool {
        guard seen[signature] == nil else { return false }
        let end = now + 2 * Self.tolerance + 1
        seen[signature] = end
        order.append((signature, end))
        while first < order.count, order[first].end <= now {
            seen[order[first].signature] = nil
            first += 1
        }
        if first > 1_024, first > order.count / 2 {
            order.removeFirst(first)
            first = 0
        }
        return true
    }

    /// Accepts the signature again, because its message was not stored.
    package mutating func restore(_ signature: String) { seen[signature] = nil }
}
