package import JSON

extension JSONValue {
    /// Whether it is a stored message with a part that is sent encrypted.
    package var isEncryptedMessage: Bool { self["encrypted"] != nil }
}
