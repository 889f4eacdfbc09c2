/// A text that is searched for, regardless of case.
package struct TextNeedle: Sendable {
    private let text: String
    private let bytes: [UInt8]
    private let isASCII: Bool

    package init(_ text: String) {
        self.text = text.lowercased()
        bytes = Array(self.text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    /// Returns whether the text occurs; an empty text always does.
    package func occurs(in other: String) -> Bool {
        guard let first = bytes.first else { return true }
        guard isASCII else { return other.lowercased().utf8.hasPart(bytes) }
        let found = other.utf8.withContiguousStorageIfAvailable { occurs(in: $0, from: first) }
        return found ?? other.lowercased().utf8.hasPart(bytes)
    }

    /// Returns whether the text occurs in ASCII or UTF-8 bytes.
    package func occurs(inBytes other: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.first.map { occurs(in: other, from: $0) } ?? true
    }

    private func occurs(in other: UnsafeBufferPointer<UInt8>, from first: UInt8) -> Bool {
        let last = other.count - bytes.count
        guard last >= 0 else { return false }
        return bytes.withUnsafeBufferPointer { needle in
            for start in 0...last where other[start].lowercase == first {
                var length = 1
                while length < needle.count, other[start + length].lowercase == needle[length] {
                    length += 1
                }
                if length == needle.count { return true }
            }
            return false
        }
    }
}

extension UInt8 {
    fileprivate var lowercase: UInt8 {
        UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}

extension String.UTF8View {
    fileprivate func hasPart(_ part: [UInt8]) -> Bool {
        var rest = self[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
