/// Patterns that are separated by commas: `*` matches any text, `?` one character, `!` excludes.
package struct SSHPatternList: Hashable, Sendable {
    private let patterns: [[UInt8]]

    init(_ text: String) {
        patterns = text.utf8.split(
            separator: UInt8(ascii: ","),
            omittingEmptySubsequences: false
        ).map(Array.init)
    }

    /// The same patterns for lowercase texts.
    var lowercased: SSHPatternList {
        SSHPatternList(
            patterns.map { String(decoding: $0, as: UTF8.self).lowercased() }
                .joined(separator: ",")
        )
    }

    /// The text, if the list is one name without wildcards.
    var onlyName: String? {
        guard let name = patterns.first, patterns.count == 1, name.first != UInt8(ascii: "!"),
            !name.contains(UInt8(ascii: "*")), !name.contains(UInt8(ascii: "?"))
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// Whether one pattern matches, and none that excludes.
    package func matches(_ text: String) -> Bool {
        let text = Array(text.utf8)
        var isFound = false
        for pattern in patterns {
            let excludes = pattern.first == UInt8(ascii: "!")
            guard Self.matches(text[...], pattern[(excludes ? 1 : 0)...]) else { continue }
            if excludes { return false }
            isFound = true
        }
        return isFound
    }

    /// Compares in linear space: only the last `*` can take more.
    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        var (place, part) = (text.startIndex, pattern.startIndex)
        var retry: (place: Int, part: Int)?
        while place < text.endIndex {
            if part < pattern.endIndex, pattern[part] == UInt8(ascii: "*") {
                part += 1
                retry = (place, part)
            } else if part < pattern.endIndex,
                pattern[part] == UInt8(ascii: "?") || pattern[part] == text[place]
            {
                place += 1
                part += 1
            } else if let last = retry {
                place = last.place + 1
                part = last.part
                retry = (place, part)
            } else {
                return false
            }
        }
        return pattern[part...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
