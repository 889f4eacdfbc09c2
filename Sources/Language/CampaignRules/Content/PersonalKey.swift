import CampaignModel
import Text

/// Recognizes names of data that belong to one person.
enum PersonalKey {
    /// Whether a name, or its end, is personal.
    ///
    /// Examples are `email`, `userEmail` and `user_e-mail`, but not `email_subject`.
    static func names(_ key: String) -> Bool {
        guard mayName(key) else { return false }
        let words = words(of: key)
        guard let first = words.first, !ofTheSender.contains(first) else { return false }
        return words.indices.contains { personal.contains(words[$0...].joined()) }
    }

    /// Whether the name ends with the letters of a personal name, in ASCII.
    ///
    /// Its last two letters exclude most names.
    private static func mayName(_ key: String) -> Bool {
        var last: UInt8 = 0
        var nextToLast: UInt8 = 0
        for byte in key.utf8 {
            if byte >= 0x80 { return true }
            if byte.isASCIILetterOrDigit { (nextToLast, last) = (last, byte) }
        }
        return endings.contains(nextToLast, then: last) && endsWithSpelling(key)
    }

    private static func endsWithSpelling(_ key: String) -> Bool {
        let letters = key.utf8.reversed().filter(\.isASCIILetterOrDigit).map { $0 | 0x20 }
        var start = 0
        while start < spellings.count {
            let length = Int(spellings[start])
            let word = spellings[(start + 1)...].prefix(length)
            if letters.starts(with: word) { return true }
            start += 1 + length
        }
        return false
    }

    /// The personal names in reverse, each after its length.
    ///
    /// They are in one array, so that there is only one reference.
    private static let spellings: [UInt8] = personal.flatMap { word in
        [UInt8(word.utf8.count)] + word.utf8.reversed()
    }

    private static let endings = LetterPairs(
        personal.map { word in
            let last = Array(word.utf8.suffix(2))
            return (last[0], last[1])
        }
    )

    /// `firstName`, `first_name` and `first-name` are two words, `iPhone` and `eMail` one.
    private static func words(of key: String) -> [String] {
        var words: [String] = [""]
        var wasLower = false
        for character in key {
            if !character.isLetter && !character.isNumber {
                words.append("")
            } else {
                let isLong = (words.last?.count ?? 0) > 1
                if character.isUppercase && wasLower && isLong { words.append("") }
                words[words.count - 1] += character.lowercased()
            }
            wasLower = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }

    /// Names that begin with these words are the sender's own.
    private static let ofTheSender: Set<String> = ["support", "sender", "office"]

    private static let personal: Set<String> = [
        "email", "mail", "emailaddress", "mailaddress",
        "phone", "phonenumber", "telephone", "telephonenumber", "mobilenumber",
        "firstname", "lastname", "surname", "fullname", "birthdate", "dateofbirth",
        "homeaddress", "streetaddress",
        "iban", "cardnumber", "ssn", "passportnumber",
        "password", "passcode", "otp", "onetimecode", "verificationcode", "token", "apikey",
    ]
}

/// Pairs of ASCII letters without case.
///
/// It is a value without references, because all cores use it all the time.
private struct LetterPairs: Sendable {
    private var rows = SIMD32<UInt32>()

    init(_ pairs: [(UInt8, UInt8)]) {
        for (first, second) in pairs { rows[Int(first & 0x1F)] |= 1 << UInt32(second & 0x1F) }
    }

    /// May return true for bytes that are not letters.
    func contains(_ first: UInt8, then second: UInt8) -> Bool {
        rows[Int(first & 0x1F)] >> UInt32(second & 0x1F) & 1 == 1
    }
}
