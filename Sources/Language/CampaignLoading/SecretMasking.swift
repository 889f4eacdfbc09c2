extension String {
    /// This text with asterisks for what looks like a registration or a credential.
    package var withoutSecrets: String {
        var bytes = Array(utf8)
        let found = bytes.withUnsafeBufferPointer { SecretScan($0).found }
        guard !found.isEmpty else { return self }
        for index in found.flatMap(\.range) { bytes[index] = UInt8(ascii: "*") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
