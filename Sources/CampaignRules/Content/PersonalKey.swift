/// Says which names of data belong to one person.
enum PersonalKey {
    /// Whether a name, or the end of it, names something personal: `email`, `userEmail`,
    /// `user_e-mail`, but not `email_subject`.
    static func names(_ key: String) -> Bool {
        let words = words(of: key)
        guard let first = words.first, !ofTheSender.contains(first) else { return false }
        return words.indices.contains { personal.contains(words[$0...].joined()) }
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
