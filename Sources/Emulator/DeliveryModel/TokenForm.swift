extension DeviceRegistration {
    /// Whether FCM can have given the text as a registration token.
    ///
    /// A token has a colon between its two parts; the key of a device group is like a second part
    /// without a first; an installation's id, which FCM takes in a token's place, has 22
    /// characters. Whatever looks otherwise FCM calls malformed and not unregistered: so the
    /// integration tests of the Admin SDKs have it, which run against Google's servers.
    package var hasTokenForm: Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return text.hasPrefix("APA91b") || text.utf8.count == 22
        default: return parts.allSatisfy { !$0.isEmpty }
        }
    }
}

extension DeliveryBackend {
    /// Whether FCM calls the registration malformed where it is given as a token: nobody has or
    /// had it, and FCM would not have given it to anybody.
    package func isMalformed(_ registration: DeviceRegistration) -> Bool {
        !registration.hasTokenForm && indexOfRegistration[registration] == nil
    }
}
