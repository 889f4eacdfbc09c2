import DeliveryModel
import JSON

/// A parsed fault script.
struct FaultScript: Sendable {
    /// Nil to keep the current seed.
    var seed: UInt64?
    var rules: [FaultRule]
}

/// One rule: which requests fail, when, and how.
struct FaultRule: Sendable {
    /// Unique in a script.
    let id: String
    let matcher: FaultMatcher
    let occasion: FaultOccasion
    let action: FaultAction
    /// The rule as written, in snake_case.
    let written: JSONObject
}

/// The Google service of a request.
enum FaultService: String, CaseIterable, Sendable {
    case send = "SEND"
    /// Membership changes, excluding queries.
    ///
    /// Imports of APNs tokens and device groups are not included; only `any` matches them.
    case membership = "MEMBERSHIP"
    /// The older API of topic management, including queries and imports.
    ///
    /// Its membership changes also belong to `membership`.
    case instanceID = "INSTANCE_ID"
    case token = "TOKEN"
    /// Everything except for the emulator's own routes.
    case any = "ANY"
}

/// The requests that a rule matches; all conditions must be true.
struct FaultMatcher: Sendable {
    var service = FaultService.any
    var method: String?
    var topic: String?
    /// The condition of a send, compared byte by byte.
    var condition: String?
    var registration: String?
    /// From 0 to 1; the same seed selects the same registrations.
    var registrationShare: Double?
    var platform: DevicePlatform?

    /// Whether the rule selects individual registrations.
    var choosesRegistrations: Bool {
        registration != nil || registrationShare != nil || platform != nil
    }
}

/// The occasions on which a rule fires, counted over matching requests; all conditions must be
/// true.
struct FaultOccasion: Sendable {
    /// Counted from 1.
    var nth: Int64?
    var every: Int64?
    /// From 0 to 1, drawn for each request.
    var share: Double?
    /// The first and the last request, counted from 1.
    var from: Int64?
    var until: Int64?
    var fromMoment: DeliveryMoment?
    /// The first time at which the rule no longer fires.
    var untilMoment: DeliveryMoment?
    /// Seconds since the script was set.
    var fromSeconds: Int64?
    var untilSeconds: Int64?
    /// Maximum number of times that the rule fires.
    var times: Int64?
    var overQuota: FaultQuota?
}

/// The number of requests, or of registrations in membership changes, that are allowed per window.
struct FaultQuota: Hashable, Sendable {
    enum Window: String, CaseIterable {
        case second = "SECOND"
        case minute = "MINUTE"

        var milliseconds: Int64 { self == .second ? 1_000 : 60_000 }
    }

    let limit: Int64
    let window: Window
}

/// The effect of a rule on a request.
struct FaultAction: Sendable {
    /// Whether the request takes effect although the client sees a failure.
    var isAccepted: Bool
    /// Whether the message is delivered again: for a condition, to devices that have several of its
    /// topics, and for other targets, to all recipients.
    var isRepeated = false
    /// Nil to keep the original answer.
    var answer: FaultAnswer?
    var delivery = AnswerDelivery.whole
}

/// An answer that replaces the original one.
struct FaultAnswer: Sendable {
    enum Content: Sendable {
        case named(FaultError)
        /// `contentType` is nil for JSON.
        case written(status: Int, bytes: [UInt8], contentType: String?)
    }

    enum RetryAfter: Hashable, Sendable {
        case seconds(Int64)
        /// A date, this many seconds from now.
        case date(inSeconds: Int64)
    }

    var content: Content
    var retryAfter: RetryAfter?
    var headers: [(name: String, value: String)] = []
}
