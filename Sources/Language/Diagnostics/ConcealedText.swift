/// Replaces every character except line breaks with asterisks.
enum ConcealedText {
    /// Keeps the numbers of bytes, scalars and UTF-16 code units.
    static func bytes(in bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        var parser = UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded): result += mask(Array(encoded))
            case .error(let length): result += Array(repeating: asterisk, count: length)
            case .emptyInput: return result
            }
        }
    }

    private static let asterisk = UInt8(ascii: "*")

    private static func mask(_ scalar: [UInt8]) -> [UInt8] {
        switch scalar.count {
        case 1: scalar == [0x0A] || scalar == [0x0D] ? scalar : [asterisk]
        case 2: Array("\u{00D7}".utf8)
        case 3: Array("\u{2217}".utf8)
        default: Array("\u{1F7B6}".utf8)
        }
    }
}
