/// Why FCM refused a registration or a message for good.
///
/// The raw values are stored as details of outcomes: they never change.
package enum Rejection: String, Hashable, Sendable, CaseIterable {
    case unregistered = "UNREGISTERED"
    case apnsUnregistered = "APNs 410"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case invalidArgument = "INVALID_ARGUMENT"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    /// APNs went on to take no more for this device.
    case apnsTooManyRequests = "APNs 429"

    package var reason: String { rawValue }

    /// The registration reaches nobody any more, whoever sends to it.
    package var isDead: Bool { self == .unregistered || self == .apnsUnregistered }
}
