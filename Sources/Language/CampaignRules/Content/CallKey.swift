import CampaignModel
import Text

/// Recognizes names of data that belong to a call.
enum CallKey {
    /// Accepts `call_id` and `callerId`; only the letters of the key count.
    static func isName(_ key: String) -> Bool {
        guard let first = key.utf8.first(where: isLetter), "cis".utf8.contains(first | 0x20) else {
            return false
        }
        return names.contains { name in
            key.utf8.lazy.filter(isLetter).map { $0 | 0x20 }.elementsEqual(name)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte.isASCIILetter
    }

    private static let names = ["callid", "callerid", "incomingcall", "sdp"].map { Array($0.utf8) }
}
