import Synchronization

/// Translates the parameters of statements: `?` and `?1` of SQLite become `$1`.
///
/// A plain `?` has the number after the highest one before it, as in SQLite (SQLite documentation,
/// Parameters). Texts and names in quotes stay as they are.
enum Placeholders {
    private static let known = Mutex<[String: String]>([:])
    /// Statements whose text contains numbers are few.
    private static let maximum = 1_000

    static func numbered(_ sql: String) -> String {
        if let text = known.withLock({ $0[sql] }) { return text }
        let text = translated(sql)
        known.withLock { if $0.count < maximum { $0[sql] = text } }
        return text
    }

    private static func translated(_ sql: String) -> String {
        var text: [UInt8] = []
        var highest = 0
        var quote: UInt8?
        var rest = Array(sql.utf8)[...]
        while let byte = rest.popFirst() {
            if let open = quote {
                if byte == open { quote = nil }
                text.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                quote = byte
                text.append(byte)
            case UInt8(ascii: "?"):
                let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                rest = rest.dropFirst(digits.count)
                let number = Int(String(decoding: digits, as: UTF8.self)) ?? highest + 1
                highest = max(highest, number)
                text += Array("$\(number)".utf8)
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
