package import State
import Text

/// Identifies a reviewed plan: a hash of everything that it would do, and the state that it was
/// made from.
///
/// Written as `HASH@SERIAL`. Plans with the same hash do the same, regardless of their serials.
package struct PlanDigest: Hashable, Sendable, CustomStringConvertible {
    /// 40 lowercase hexadecimal digits.
    package let hash: String
    /// The serial of the state that the plan was made from; nil if only the hash is known.
    package let serial: StateSerial?

    init(hash: String, serial: StateSerial?) {
        self.hash = hash
        self.serial = serial
    }

    /// - Parameter text: `HASH` or `HASH@SERIAL`.
    package init?(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let hash = parts[0].lowercased()
        guard hash.utf8.count == Self.length, hash.utf8.allSatisfy(\.isASCIILowercaseHexDigit)
        else {
            return nil
        }
        self.hash = hash
        guard parts.count == 2 else {
            serial = nil
            return
        }
        let digits = parts[1].utf8
        guard digits.allSatisfy(\.isASCIIDigit),
            let number = Int64(parts[1])
        else { return nil }
        serial = StateSerial(number: number)
    }

    /// Number of digits of the SHA-256.
    package static let length = 40

    package var description: String { hash + (serial.map { "@\($0)" } ?? "") }
}
