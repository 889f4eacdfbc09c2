/// Values in notations that Herald does not accept but that have only one meaning.
enum Notation {
    /// Accepts the YAML 1.1 spellings of true and false, in any case.
    static func flag(_ text: String) -> String? {
        switch text.lowercased() {
        case "true", "yes", "on", "y": "true"
        case "false", "no", "off", "n": "false"
        default: nil
        }
    }

    /// Accepts a duration with blanks, with long or uppercase units, such as `1 hour 30 min`.
    ///
    /// `M` is ambiguous: minutes or months.
    static func duration(_ text: String) -> String? {
        var result = ""
        var rest = text[...].drop(while: isBlank)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count).drop(while: isBlank)
            let word = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(word.count).drop(while: isBlank)
            guard !digits.isEmpty, let unit = unit(word) else { return nil }
            result += digits + unit
        }
        return result.isEmpty ? nil : result
    }

    private static func isBlank(_ character: Character) -> Bool { character == " " }

    private static func unit(_ word: Substring) -> String? {
        if word == "M" { return nil }
        return switch word.lowercased() {
        case "s", "sec", "secs", "second", "seconds": "s"
        case "m", "min", "mins", "minute", "minutes": "m"
        case "h", "hr", "hrs", "hour", "hours": "h"
        case "d", "day", "days": "d"
        default: nil
        }
    }
}
