import CampaignModel

/// Says which names of data belong to one person.
enum PersonalKey {
    /// Whether a name, or the end of it, names something personal: `email`, `userEmail`,
    /// `user_e-mail`, but not `email_subject`.
    static func names(_ key: String) -> Bool {
        guard mayName(key) else { return false }
        let words = words(of: key)
        guard let first = words.first, !ofTheSender.contains(first) else { return false }
        return words.indices.contains { personal.contains(words[$0...].joined()) }
    }

    /// Whether the name ends with the letters of a personal one; only ASCII can tell.
    ///
    /// Its last two letters tell most names apart.
    private static func mayName(_ key: String) -> Bool {
        var ending: UInt16 = 0
        for byte in key.utf8 {
            if byte >= 0x80 { return true }
            if byte.isASCIILetterOrDigit { ending = ending << 8 | UInt16(byte | 0x20) }
        }
        return endings.contains(ending) && spellings.contains { ends(key, with: $0) }
    }

    private static func ends(_ key: String, with spelling: [UInt8]) -> Bool {
        var missing = spelling.count
        for byte in key.utf8.reversed() where missing > 0 && byte.isASCIILetterOrDigit {
            guard byte | 0x20 == spelling[missing - 1] else { return false }
            missing -= 1
        }
        return missing == 0
    }

    private static let spellings = personal.map { Array($0.utf8) }

    private static let endings: [UInt16] = personal.map { word in
        word.utf8.suffix(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

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

    /// What these begin is the sender's own.
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
