/// Finds one-time codes for one person by the surrounding words: `482913 is your code`.
///
/// A code has 4 to 8 digits, or two groups of 3, and is not a year. Codes for everyone, such as
/// discount codes, are excluded.
enum OneTimeCode {
    static func isIn(_ text: String) -> Bool {
        guard mayName(text) else { return false }
        let words = Words(text)
        let codes = words.words.indices.filter { isCode(at: $0, in: words) }
        guard !codes.isEmpty else { return false }
        let lower = words.words.map { $0.text.lowercased() }
        return hasExactName(lower)
            || codes.contains { follows($0, in: lower) || precedes($0, in: lower) }
    }

    /// Whether one of the words that a code requires begins somewhere.
    static func mayName(_ text: String) -> Bool {
        var last: (UInt8, UInt8) = (0, 0)
        for byte in text.utf8 {
            switch (last.0, last.1, byte | 0x20) {
            case (UInt8(ascii: "c"), UInt8(ascii: "o"), UInt8(ascii: "d")),
                (UInt8(ascii: "p"), UInt8(ascii: "i"), UInt8(ascii: "n")),
                (UInt8(ascii: "p"), UInt8(ascii: "a"), UInt8(ascii: "s")),
                (UInt8(ascii: "o"), UInt8(ascii: "t"), UInt8(ascii: "p")):
                return true
            default: last = (last.1, byte | 0x20)
            }
        }
        return false
    }

    private static func isCode(at index: Int, in words: Words) -> Bool {
        guard let word = words[index], let digits = word.digits, !word.looksLikeYear else {
            return false
        }
        if (4...8).contains(digits.utf8.count) { return true }
        let gap = words.gap(after: index)
        return digits.utf8.count == 3 && words[index + 1]?.digits?.utf8.count == 3
            && (gap == " " || gap == "-")
    }

    /// Matches "verification code", "one-time password", "OTP".
    private static func hasExactName(_ words: [String]) -> Bool {
        if words.contains("otp") || words.contains("passcode") { return true }
        return zip(words, words.dropFirst()).contains { kinds.contains($0) && names.contains($1) }
    }

    /// Matches "your code is 482913", "your PIN: 4711".
    private static func follows(_ index: Int, in words: [String]) -> Bool {
        let before = words[..<index].suffix(6).filter { $0 != "is" }
        guard let name = before.last, names.contains(name) else { return false }
        let kinds = before.dropLast()
        return kinds.contains("your") && !forEverybody.contains(kinds.last ?? "")
    }

    /// Matches "482913 is your Tidewatch code".
    private static func precedes(_ index: Int, in words: [String]) -> Bool {
        let after = words[(index + 1)...].prefix(6)
        guard let your = after.firstIndex(of: "your"), your > index + 1,
            words[your - 1] == "is"
        else { return false }
        return after[your...].contains { names.contains($0) }
    }

    private static let names: Set<String> = ["code", "pin", "password"]

    private static let kinds: Set<String> = [
        "verification", "security", "confirmation", "login", "access", "authentication",
        "activation", "time",
    ]

    private static let forEverybody: Set<String> = [
        "promo", "discount", "voucher", "coupon", "gift", "area", "postal", "zip", "dress",
    ]
}
