import DeliveryModel
import JSON

/// Faults that are to happen, as somebody wrote them down.
struct FaultScript: Sendable {
    /// Nil for the seed that is in force.
    var seed: UInt64?
    var rules: [FaultRule]
}

/// Which requests fail, when, and how.
struct FaultRule: Sendable {
    /// Different for every rule of a script.
    let id: String
    let matcher: FaultMatcher
    let occasion: FaultOccasion
    let action: FaultAction
    /// The rule as it was written, in snake_case.
    let written: JSONObject
}

/// Which of Google's services a request is for.
enum FaultService: String, CaseIterable, Sendable {
    case send = "SEND"
    /// Changes of memberships, and not questions about them; neither imports of APNs tokens nor
    /// device groups, which only `any` names.
    case membership = "MEMBERSHIP"
    /// The older API of topic management, questions and imports included; its changes of memberships
    /// are `membership` too.
    case instanceID = "INSTANCE_ID"
    case token = "TOKEN"
    /// Everything but the emulator's own routes.
    case any = "ANY"
}

/// The requests that a rule is about; every condition has to hold.
struct FaultMatcher: Sendable {
    var service = FaultService.any
    var method: String?
    var topic: String?
    /// The text of a send's condition, byte for byte.
    var condition: String?
    var registration: String?
    /// From 0 to 1; the same seed gives the same registrations.
    var registrationShare: Double?
    var platform: DevicePlatform?

    /// Whether the rule is about some registrations and not about others.
    var choosesRegistrations: Bool {
        registration != nil || registrationShare != nil || platform != nil
    }
}

/// When a rule fires, counted over the requests that it matches; every condition has to hold.
struct FaultOccasion: Sendable {
    /// Counted from 1.
    var nth: Int64?
    var every: Int64?
    /// From 0 to 1, drawn anew for each request.
    var share: Double?
    /// The first and the last request, counted from 1.
    var from: Int64?
    var until: Int64?
    var fromMoment: DeliveryMoment?
    /// The first moment at which it no longer fires.
    var untilMoment: DeliveryMoment?
    /// Since the script was set.
    var fromSeconds: Int64?
    var untilSeconds: Int64?
    /// How often it fires at most.
    var times: Int64?
    var overQuota: FaultQuota?
}

/// So many requests, or registrations of membership changes, in each window of time.
struct FaultQuota: Hashable, Sendable {
    enum Window: String, CaseIterable {
        case second = "SECOND"
        case minute = "MINUTE"

        var milliseconds: Int64 { self == .second ? 1_000 : 60_000 }
    }

    let limit: Int64
    let window: Window
}

/// What is done to a request.
struct FaultAction: Sendable {
    /// Whether the request does its work although it fails for the client.
    var isAccepted: Bool
    /// Each device that a condition names by more than one topic gets the message twice, and so
    /// does every recipient of another target.
    var isRepeated = false
    /// Nil for the answer that the request would have had.
    var answer: FaultAnswer?
    var delivery = AnswerDelivery.whole
}

/// An answer that takes the place of a request's own.
struct FaultAnswer: Sendable {
    enum Content: Sendable {
        case named(FaultError)
        /// `contentType` is nil for JSON.
        case written(status: Int, bytes: [UInt8], contentType: String?)
    }

    enum RetryAfter: Hashable, Sendable {
        case seconds(Int64)
        /// As a date, this many seconds from now.
        case date(inSeconds: Int64)
    }

    var content: Content
    var retryAfter: RetryAfter?
    var headers: [(name: String, value: String)] = []
}
