// RFC 3986, section 2.1.
extension String {
    /// The text with every character percent-encoded that has a meaning in a path or a query.
    ///
    /// Unreserved characters and colons are kept (RFC 3986, section 3.3).
    package var percentEncoded: String { percentEncoded(keeping: ":") }

    /// The text with all bytes percent-encoded except unreserved characters and these.
    package func percentEncoded(keeping others: String) -> String {
        var text = ""
        for byte in utf8 {
            if byte.isUnreservedInURI || others.utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte.percentEncoded
            }
        }
        return text
    }

    /// The decoded text; nil if this is not valid percent-encoding, or of text that is not UTF-8.
    package var percentDecoded: String? {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = Hexadecimal.bytes(rest.prefix(2)), code.count == 1 else { return nil }
            bytes += code
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// `%` and two digits.
    package var percentEncoded: String {
        "%" + Hexadecimal.text(of: CollectionOfOne(self), letters: .upper)
    }

    /// RFC 3986, section 2.3.
    fileprivate var isUnreservedInURI: Bool {
        isASCIILetterOrDigit || "-._~".utf8.contains(self)
    }
}
