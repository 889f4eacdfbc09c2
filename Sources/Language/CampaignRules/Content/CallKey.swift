import CampaignModel

/// Says which names of data are those of a call.
enum CallKey {
    /// As in `call_id` and `callerId`; of the key only the letters count.
    static func isName(_ key: String) -> Bool {
        guard let first = key.utf8.first(where: isLetter), "cis".utf8.contains(first | 0x20) else {
            return false
        }
        return names.contains { name in
            key.utf8.lazy.filter(isLetter).map { $0 | 0x20 }.elementsEqual(name)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit && !byte.isDigit
    }

    private static let names = ["callid", "callerid", "incomingcall", "sdp"].map { Array($0.utf8) }
}
