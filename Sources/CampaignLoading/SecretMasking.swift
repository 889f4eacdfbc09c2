import Diagnostics

extension String {
    /// This text with asterisks for what looks like a registration or a credential.
    package var withoutSecrets: String {
        var bytes = Array(utf8)
        let source = SourceID(index: 0)
        let places =
            SecretText.places(in: bytes, of: source)
            + RegistrationConcealment.places(in: bytes, of: source)
        guard !places.isEmpty else { return self }
        for index in places.flatMap({ $0.start..<$0.end }) { bytes[index] = UInt8(ascii: "*") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
