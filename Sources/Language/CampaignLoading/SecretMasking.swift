extension String {
    /// The text with asterisks in place of likely registrations and credentials.
    package var withoutSecrets: String {
        var bytes = Array(utf8)
        let found = bytes.withUnsafeBufferPointer { SecretScan($0).found }
        guard !found.isEmpty else { return self }
        for index in found.flatMap(\.range) { bytes[index] = UInt8(ascii: "*") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
