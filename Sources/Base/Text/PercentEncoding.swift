extension String {
    /// The text with every character percent-encoded that has a meaning in a path or a query.
    ///
    /// Unreserved characters and colons are kept (RFC 3986, section 3.3).
    package var percentEncoded: String {
        var text = ""
        for byte in utf8 {
            if byte.isPlainInURL {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }
}

extension UInt8 {
    fileprivate var isPlainInURL: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
