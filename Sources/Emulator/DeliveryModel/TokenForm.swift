extension DeviceRegistration {
    /// Whether FCM can have issued the text as a registration token.
    ///
    /// A token has two parts, separated by a colon. The key of a device group looks like a second
    /// part alone. A Firebase installation ID, which FCM accepts in place of a token, has 22
    /// characters. FCM reports any other form as malformed and not as unregistered, according to
    /// the integration tests of the Admin SDKs, which run against Google's servers.
    package var hasTokenForm: Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return text.hasPrefix("APA91b") || text.utf8.count == 22
        default: return parts.allSatisfy { !$0.isEmpty }
        }
    }
}

extension DeliveryBackend {
    /// Returns whether FCM would reject a registration as a malformed token.
    ///
    /// True if no device has or had it and FCM cannot have issued it.
    package func isMalformed(_ registration: DeviceRegistration) -> Bool {
        !registration.hasTokenForm && indexOfRegistration[registration] == nil
    }
}
