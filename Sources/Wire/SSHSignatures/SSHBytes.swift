/// Reads the data types of SSH (RFC 4251, section 5).
struct SSHReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { place == bytes.count }

    mutating func take(_ count: Int) -> [UInt8]? {
        guard count <= bytes.count - place else { return nil }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    mutating func number() -> UInt32? {
        take(4).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    mutating func string() -> [UInt8]? {
        guard let length = number(), length <= UInt32(Int32.max) else { return nil }
        return take(Int(length))
    }

    /// A string that OpenSSH treats as a C string: a zero byte is an error, except at the end.
    mutating func text() -> String? {
        guard var content = string() else { return nil }
        if content.last == 0 { content.removeLast() }
        guard !content.contains(0) else { return nil }
        return String(validating: content, as: UTF8.self)
    }

    /// A positive number without leading zeros, most significant byte first.
    mutating func positive() -> [UInt8]? {
        guard let content = string(), content.first.map({ $0 & 0x80 == 0 }) ?? true,
            content.count <= Self.longestNumber + 1
        else { return nil }
        return Array(content.drop { $0 == 0 })
    }

    /// 16,384 bits, as in OpenSSH.
    private static let longestNumber = 2_048
}

/// Writes the data types of SSH.
struct SSHWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ part: some Sequence<UInt8>) { bytes += part }

    mutating func put(string: some Collection<UInt8>) {
        let count = UInt32(string.count)
        bytes += [24, 16, 8, 0].map { UInt8(count >> $0 & 255) }
        bytes += string
    }
}
