import FCMWire

/// The errors that a script can name, with the bodies that Google gives them (Firebase
/// documentation, FCM error codes; Google Cloud APIs, errors).
enum FaultError: String, CaseIterable, Sendable {
    /// The rate of messages to a topic or a device.
    case quotaExceeded = "QUOTA_EXCEEDED"
    /// The rate of the project: an ErrorInfo and no FcmError, so that many libraries take it for
    /// something else (firebase/firebase-admin-go, issue 719).
    case projectQuotaExceeded = "PROJECT_QUOTA_EXCEEDED"
    case unavailable = "UNAVAILABLE"
    case internalError = "INTERNAL"
    case unregistered = "UNREGISTERED"
    case invalidArgument = "INVALID_ARGUMENT"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    /// An Apple device whose app is gone: 400 with APNs' own 410 inside.
    case apnsUnregistered = "APNS_UNREGISTERED"
    case apnsTooManyRequests = "APNS_TOO_MANY_REQUESTS"
    case expiredToken = "EXPIRED_TOKEN"
    /// The API is not switched on in the project.
    case serviceDisabled = "SERVICE_DISABLED"
    case tooManyTopics = "TOO_MANY_TOPICS"
    /// The token endpoint's answer to an assertion that it does not take.
    case invalidGrant = "INVALID_GRANT"

    var httpStatus: Int {
        switch self {
        case .invalidArgument, .apnsUnregistered, .tooManyTopics, .invalidGrant: 400
        case .thirdPartyAuthError, .expiredToken: 401
        case .senderIDMismatch, .serviceDisabled: 403
        case .unregistered: 404
        case .quotaExceeded, .projectQuotaExceeded, .apnsTooManyRequests: 429
        case .internalError: 500
        case .unavailable: 503
        }
    }

    /// The name of the google.rpc.Code.
    private var status: String {
        switch self {
        case .invalidArgument, .apnsUnregistered, .invalidGrant: "INVALID_ARGUMENT"
        case .tooManyTopics: "FAILED_PRECONDITION"
        case .thirdPartyAuthError, .expiredToken: "UNAUTHENTICATED"
        case .senderIDMismatch, .serviceDisabled: "PERMISSION_DENIED"
        case .unregistered: "NOT_FOUND"
        case .quotaExceeded, .projectQuotaExceeded, .apnsTooManyRequests: "RESOURCE_EXHAUSTED"
        case .internalError: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        }
    }

    /// Whether it says something of a registration, and not of the whole request.
    var isAboutRegistration: Bool {
        switch self {
        case .unregistered, .invalidArgument, .senderIDMismatch, .apnsUnregistered,
            .apnsTooManyRequests, .tooManyTopics:
            true
        case .quotaExceeded, .projectQuotaExceeded, .unavailable, .internalError,
            .thirdPartyAuthError, .expiredToken, .serviceDisabled, .invalidGrant:
            false
        }
    }

    /// What a batch of the Instance ID API says of one registration.
    var batchWord: String {
        switch self {
        case .unregistered: "NOT_FOUND"
        case .invalidArgument, .senderIDMismatch, .apnsUnregistered, .invalidGrant:
            "INVALID_ARGUMENT"
        case .tooManyTopics: "TOO_MANY_TOPICS"
        case .quotaExceeded, .projectQuotaExceeded, .apnsTooManyRequests: "RESOURCE_EXHAUSTED"
        case .thirdPartyAuthError, .expiredToken, .serviceDisabled: "PERMISSION_DENIED"
        case .internalError: "INTERNAL"
        case .unavailable: "UNAVAILABLE"
        }
    }
}

extension FaultError {
    /// The whole body of the answer to a request of that form.
    func body(for subject: FaultSubject) -> JSONValue {
        switch subject.form {
        case .google:
            [
                "error": [
                    "code": .integer(Int64(httpStatus)), "message": .string(message(for: subject)),
                    "status": .string(status), "details": .array(details(for: subject)),
                ]
            ]
        case .instanceID: ["error": .string(self == .expiredToken ? "Unauthorized" : batchWord)]
        case .oauth:
            [
                "error": .string(oauthWord),
                "error_description": .string(message(for: subject)),
            ]
        }
    }

    private var oauthWord: String {
        switch self {
        case .unavailable: "temporarily_unavailable"
        case .internalError: "internal_failure"
        case .quotaExceeded, .projectQuotaExceeded, .apnsTooManyRequests: "rate_limit_exceeded"
        case .serviceDisabled: "access_denied"
        default: "invalid_grant"
        }
    }

    private func message(for subject: FaultSubject) -> String {
        switch self {
        case .quotaExceeded, .apnsTooManyRequests:
            subject.registrations.isEmpty && subject.service == .send
                ? "Topic quota exceeded." : "Resource has been exhausted (e.g. check quota)."
        case .projectQuotaExceeded:
            "Quota exceeded for quota metric '\(quota(of: subject).metricTitle)' and limit "
                + "'\(quota(of: subject).limitTitle)' of service 'fcm.googleapis.com' for consumer "
                + "'project_number:\(subject.project)'."
        case .unavailable: "The service is currently unavailable."
        case .internalError: "Internal error encountered."
        case .unregistered: "Requested entity was not found."
        case .invalidArgument: "The registration token is not a valid FCM registration token"
        case .senderIDMismatch: "SenderId mismatch"
        case .thirdPartyAuthError: "Auth error from APNS or Web Push Service"
        case .apnsUnregistered: "APNs device token is disabled."
        case .expiredToken:
            "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
                + "cookie or other valid authentication credential. See https://developers.google"
                + ".com/identity/sign-in/web/devconsole-project."
        case .serviceDisabled:
            "Firebase Cloud Messaging API has not been used in project \(subject.project) before "
                + "or it is disabled."
        case .tooManyTopics: "The registration has too many topics."
        case .invalidGrant: "Invalid JWT: the assertion was refused."
        }
    }

    private func details(for subject: FaultSubject) -> [JSONValue] {
        switch self {
        case .quotaExceeded: [.fcmError("QUOTA_EXCEEDED")]
        case .projectQuotaExceeded: [quota(of: subject).errorInfo(subject.project), .quotaHelp]
        case .unavailable: [.fcmError("UNAVAILABLE")]
        case .internalError: [.fcmError("INTERNAL")]
        case .unregistered: [.fcmError("UNREGISTERED")]
        case .invalidArgument: [.fcmError("INVALID_ARGUMENT")]
        case .senderIDMismatch: [.fcmError("SENDER_ID_MISMATCH")]
        case .thirdPartyAuthError: [.fcmError("THIRD_PARTY_AUTH_ERROR")]
        case .apnsUnregistered:
            [.fcmError("INVALID_ARGUMENT"), .apnsError(410, "Unregistered")]
        case .apnsTooManyRequests:
            [.fcmError("QUOTA_EXCEEDED"), .apnsError(429, "TooManyRequests")]
        case .expiredToken: [.errorInfo("ACCESS_TOKEN_EXPIRED", ["service": "fcm.googleapis.com"])]
        case .serviceDisabled:
            [
                .errorInfo(
                    "SERVICE_DISABLED",
                    [
                        "service": "fcm.googleapis.com",
                        "consumer": .string("projects/\(subject.project)"),
                    ]
                )
            ]
        case .tooManyTopics, .invalidGrant: []
        }
    }

    private func quota(of subject: FaultSubject) -> ProjectQuota {
        subject.service == .membership ? .memberships : .sends
    }
}

/// The names of a project's quota in Google's answers.
///
/// Those of sends are as reported (firebase/firebase-admin-go, issue 719); those of membership
/// changes are made after them.
private enum ProjectQuota {
    case sends
    case memberships

    var metricTitle: String { self == .sends ? "Send requests" : "Topic subscription requests" }
    var limitTitle: String { metricTitle + " per minute" }

    func errorInfo(_ project: String) -> JSONValue {
        .errorInfo(
            "RATE_LIMIT_EXCEEDED",
            [
                "service": "fcm.googleapis.com",
                "consumer": .string("projects/\(project)"),
                "quota_metric": .string(
                    self == .sends
                        ? "fcm.googleapis.com/send_requests"
                        : "fcm.googleapis.com/topic_subscription_requests"
                ),
                "quota_limit": .string(
                    self == .sends
                        ? "SendsPerMinutePerProject" : "TopicSubscriptionsPerMinutePerProject"
                ),
                "quota_unit": "1/min/{project}",
                "quota_location": "global",
            ]
        )
    }
}

extension JSONValue {
    fileprivate static func apnsError(_ status: Int64, _ reason: String) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
            "statusCode": .integer(status), "reason": .string(reason),
        ]
    }

    fileprivate static func errorInfo(_ reason: String, _ metadata: JSONValue) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": .string(reason), "domain": "googleapis.com", "metadata": metadata,
        ]
    }

    fileprivate static let quotaHelp: JSONValue = [
        "@type": "type.googleapis.com/google.rpc.Help",
        "links": [
            [
                "description": "Request a higher quota limit.",
                "url": "https://cloud.google.com/docs/quotas/help/request_increase",
            ]
        ],
    ]
}
