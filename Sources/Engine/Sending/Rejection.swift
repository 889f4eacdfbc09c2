package import State

/// Why FCM permanently rejected a registration or a message.
///
/// The raw values are stored as details of outcomes: they never change.
package enum Rejection: String, Hashable, Sendable, CaseIterable {
    case unregistered = "UNREGISTERED"
    case apnsUnregistered = "APNs 410"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case invalidArgument = "INVALID_ARGUMENT"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    /// APNs repeatedly limited this device.
    case apnsTooManyRequests = "APNs 429"

    package var reason: String { rawValue }

    /// Whether the registration is dead for every sender.
    package var isDead: Bool { self == .unregistered || self == .apnsUnregistered }
}

extension RequestOutcome {
    /// The reason of a rejection, if Herald knows it.
    package var rejection: Rejection? {
        let words = detail.flatMap { OutcomeDetail(text: $0).words }
        return words.flatMap(Rejection.init(rawValue:))
    }
}
