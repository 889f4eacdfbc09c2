extension Substring {
    /// The text with percent codes decoded; invalid codes stay unchanged.
    package var percentDecoded: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        let bytes = Array(utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let code = bytes[index...].dropFirst().prefix(2)
            if bytes[index] == UInt8(ascii: "%"), code.count == 2,
                let byte = UInt8(String(decoding: code, as: UTF8.self), radix: 16)
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// The text decoded as `application/x-www-form-urlencoded`, in which a plus sign is a space.
    package var formDecoded: String {
        utf8.contains(UInt8(ascii: "+"))
            ? Substring(map { $0 == "+" ? " " : $0 }).percentDecoded : percentDecoded
    }
}
