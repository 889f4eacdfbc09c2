/// A request's target taken apart.
struct RequestTarget {
    let path: Substring
    private let query: Substring

    init(_ text: String) {
        let end = text.firstIndex(of: "?") ?? text.endIndex
        path = text[..<end]
        query = text[end...].dropFirst()
    }

    /// The first value of a query parameter.
    func parameter(_ name: String) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts[0].percentDecoded == name {
                return parts.count > 1 ? parts[1].percentDecoded : ""
            }
        }
        return nil
    }
}

extension Substring {
    /// The text with `%41` read as `A`; what is no such code stays.
    var percentDecoded: String {
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
}
