import JSON

/// FCM's answer to a send.
package enum SendAnswer: Hashable, Sendable {
    /// `200` with the message's name: accepted for delivery, not delivered.
    case accepted(name: String)
    case refused(FCMError)
    /// A success without a message name, or an answer that is neither a success nor an FCM error.
    case unreadable(status: Int)

    package init(status: Int, body: [UInt8]) {
        let json = JSONValue(parsing: body)
        if status == 200 {
            self = json?["name"]?.stringValue.map(SendAnswer.accepted) ?? .unreadable(status: 200)
        } else if let error = json.flatMap({ FCMError(httpStatus: status, body: $0) }) {
            self = .refused(error)
        } else {
            self = .unreadable(status: status)
        }
    }
}

/// An error in the form of the v1 API: `{"error": {"code", "message", "status", "details"}}`.
package struct FCMError: Hashable, Sendable {
    package let httpStatus: Int
    /// The name of the `google.rpc.Code`, such as `NOT_FOUND`.
    package let status: String
    package let message: String
    /// The FCM error code in the `FcmError` detail, if present.
    package let code: FCMErrorCode?
    /// The invalid fields of the request in the `BadRequest` detail; nil if there is none.
    package let fieldViolations: [FieldViolation]?
    /// The status code of APNs, if it refused.
    package let apnsStatus: Int?
    /// The pause in the `RetryInfo` detail, in whole seconds rounded up; nil if there is none.
    package let retryDelay: Duration?

    init?(httpStatus: Int, body: JSONValue) {
        guard let error = body["error"]?.objectValue else { return nil }
        self.httpStatus = httpStatus
        status = error["status"]?.stringValue ?? ""
        message = error["message"]?.stringValue ?? ""
        let details = error["details"]?.arrayValue ?? []
        code = Self.detail("google.firebase.fcm.v1.FcmError", of: details)?["errorCode"]?
            .stringValue.map(FCMErrorCode.init)
        fieldViolations = Self.detail("google.rpc.BadRequest", of: details).map { detail in
            (detail["fieldViolations"]?.arrayValue ?? []).map(FieldViolation.init)
        }
        apnsStatus = Self.detail("google.firebase.fcm.v1.ApnsError", of: details)?["statusCode"]?
            .integerValue.flatMap { Int(exactly: $0) }
        retryDelay = Self.detail("google.rpc.RetryInfo", of: details)?["retryDelay"]?.stringValue
            .flatMap(Self.seconds).map { Duration.seconds($0) }
    }

    /// The pause in the `RetryInfo` detail of any of Google's error answers; nil if there is none.
    package static func retryDelay(in body: [UInt8]) -> Duration? {
        JSONValue(parsing: body).flatMap { FCMError(httpStatus: 0, body: $0)?.retryDelay }
    }

    /// Whether it refuses the registration, not the message.
    ///
    /// Only some answers name the field; the text is the same in all of them, as recorded in public
    /// test suites.
    package var refusesRegistration: Bool {
        fieldViolations?.contains { $0.field == "message.token" } == true
            || message == "The registration token is not a valid FCM registration token"
    }

    private static func detail(_ type: String, of details: [JSONValue]) -> JSONValue? {
        details.first { $0["@type"]?.stringValue == "type.googleapis.com/" + type }
    }

    /// Reads a duration of ProtoJSON, such as `1.5s`; at most one day, because clocks cannot sleep
    /// for arbitrary durations.
    private static func seconds(_ text: String) -> Int64? {
        let number = text.dropLast()
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text.last == "s", let first = number.utf8.first, digits.contains(first),
            number.utf8.allSatisfy({ digits.contains($0) || $0 == UInt8(ascii: ".") }),
            let value = Double(number)
        else { return nil }
        return Int64(min(value, 86_400).rounded(.up))
    }
}

/// A field of a request that FCM refused.
package struct FieldViolation: Hashable, Sendable {
    /// For example `message.android.ttl`.
    package let field: String
    package let description: String

    fileprivate init(_ json: JSONValue) {
        field = json["field"]?.stringValue ?? ""
        description = json["description"]?.stringValue ?? ""
    }
}

/// The codes of the v1 API (Firebase reference, ErrorCode); others keep their text.
package enum FCMErrorCode: Hashable, Sendable {
    case invalidArgument
    case unregistered
    case senderIDMismatch
    case quotaExceeded
    case unavailable
    case `internal`
    case thirdPartyAuthError
    /// FCM has no further information.
    case unspecified
    case other(String)

    package init(_ text: String) {
        switch text {
        case "INVALID_ARGUMENT": self = .invalidArgument
        case "UNREGISTERED": self = .unregistered
        case "SENDER_ID_MISMATCH": self = .senderIDMismatch
        case "QUOTA_EXCEEDED": self = .quotaExceeded
        case "UNAVAILABLE": self = .unavailable
        case "INTERNAL": self = .internal
        case "THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR": self = .thirdPartyAuthError
        case "UNSPECIFIED_ERROR": self = .unspecified
        default: self = .other(text)
        }
    }

    package var text: String {
        switch self {
        case .invalidArgument: "INVALID_ARGUMENT"
        case .unregistered: "UNREGISTERED"
        case .senderIDMismatch: "SENDER_ID_MISMATCH"
        case .quotaExceeded: "QUOTA_EXCEEDED"
        case .unavailable: "UNAVAILABLE"
        case .internal: "INTERNAL"
        case .thirdPartyAuthError: "THIRD_PARTY_AUTH_ERROR"
        case .unspecified: "UNSPECIFIED_ERROR"
        case .other(let text): text
        }
    }
}
