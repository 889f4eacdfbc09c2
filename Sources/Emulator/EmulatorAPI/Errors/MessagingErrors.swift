import DeliveryModel
import JSON

/// FCM's own errors (Firebase documentation, FCM error codes; the order of the details and the
/// texts as recorded from FCM in public test suites).
extension GoogleError {
    /// Returns the error for an invalid field.
    static func invalid(_ field: String, because description: String) -> GoogleError {
        invalid(FieldViolation(field: field, description: description))
    }

    static func invalid(_ violation: FieldViolation) -> GoogleError {
        refused(violation.description, blaming: [violation])
    }

    /// An error of which only FCM's general text is known (as recorded in
    /// firebase/quickstart-python, issue 11).
    static let invalidArgument = refused("Request contains an invalid argument.", blaming: [])

    static let messageTooLarge = refused(
        "Message is too large. The maximum is 4K (4096 bytes).",
        blaming: []
    )

    /// Returns an error whose text is modelled on that for single devices, because FCM's text is
    /// unknown.
    static func topicMessageTooLarge(limit: Int) -> GoogleError {
        refused("Message is too large. The maximum is \(limit) bytes.", blaming: [])
    }

    static let invalidRegistration: GoogleError = {
        let text = "The registration token is not a valid FCM registration token"
        return GoogleError(
            code: 400,
            status: "INVALID_ARGUMENT",
            message: text,
            details: [
                .fcmError("INVALID_ARGUMENT"),
                .badRequest([FieldViolation(field: "message.token", description: text)]),
            ]
        )
    }()

    /// A malformed condition (answers recorded in firebase/quickstart-python, issue 11, and
    /// firebase/firebase-admin-node, issue 1065).
    static let invalidCondition = invalid(
        "message.condition",
        because: "Invalid condition expression provided."
    )

    static let unregistered = GoogleError(
        code: 404,
        status: "NOT_FOUND",
        message: "Requested entity was not found.",
        details: [.fcmError("UNREGISTERED")]
    )

    static let senderIDMismatch = GoogleError(
        code: 403,
        status: "PERMISSION_DENIED",
        message: "SenderId mismatch",
        details: [.fcmError("SENDER_ID_MISMATCH")]
    )

    /// APNs reports that the app instance was removed; FCM answers 400 and not 404.
    static let apnsTokenDisabled = GoogleError(
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "APNs device token is disabled.",
        details: [.fcmError("INVALID_ARGUMENT"), .apnsError(410, reason: "Unregistered")]
    )

    /// Returns the error if APNs rejects the project's key: `InvalidProviderToken`,
    /// `BadEnvironmentKeyInToken`.
    static func thirdPartyAuth(reason: String) -> GoogleError {
        GoogleError(
            code: 401,
            status: "UNAUTHENTICATED",
            message: "Auth error from APNS or Web Push Service",
            details: [.fcmError("THIRD_PARTY_AUTH_ERROR"), .apnsError(403, reason: reason)]
        )
    }

    /// Too many messages for one Apple device.
    static let apnsRateExceeded = GoogleError(
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "The device's message rate exceeds the limit of APNs.",
        details: [.fcmError("QUOTA_EXCEEDED"), .apnsError(429, reason: "TooManyRequests")]
    )

    /// Returns the error for too many messages to one device.
    static func deviceQuotaExceeded(retryAfter: Int? = nil) -> GoogleError {
        quotaExceeded("Device quota exceeded.", retryAfter: retryAfter)
    }

    /// Returns the error for too many messages to one topic.
    static func topicQuotaExceeded(retryAfter: Int? = nil) -> GoogleError {
        quotaExceeded("Topic quota exceeded.", retryAfter: retryAfter)
    }

    private static func quotaExceeded(_ message: String, retryAfter: Int?) -> GoogleError {
        GoogleError(
            code: 429,
            status: "RESOURCE_EXHAUSTED",
            message: message,
            details: [
                .fcmError("QUOTA_EXCEEDED"),
                [
                    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                    "violations": [["description": .string(message)]],
                ],
            ],
            retryAfter: retryAfter
        )
    }

    static func unavailable(retryAfter: Int? = nil) -> GoogleError {
        GoogleError(
            code: 503,
            status: "UNAVAILABLE",
            message: "The service is currently unavailable.",
            details: [.fcmError("UNAVAILABLE")],
            retryAfter: retryAfter
        )
    }

    static let internalError = GoogleError(
        code: 500,
        status: "INTERNAL",
        message: "Internal error encountered.",
        details: [.fcmError("INTERNAL")]
    )

    private static func refused(
        _ message: String,
        blaming violations: [FieldViolation]
    ) -> GoogleError {
        GoogleError(
            code: 400,
            status: "INVALID_ARGUMENT",
            message: message,
            details: [.badRequest(violations), .fcmError("INVALID_ARGUMENT")]
        )
    }
}

/// A quota of a project, with its names in errors.
private struct ProjectQuota {
    let title: String
    let metric: String
    let limit: String
    let value: Int
}

/// Errors that Google's front end reports before FCM sees the request; they have no FcmError.
extension GoogleError {
    /// Returns the error for too many sends of a project per minute (as reported in
    /// firebase/firebase-admin-go, issue 719).
    static func projectQuotaExceeded(
        project: String,
        limit: Int = 600_000,
        retryAfter: Int? = nil
    ) -> GoogleError {
        let quota = ProjectQuota(
            title: "Send requests",
            metric: "fcm.googleapis.com/send_requests",
            limit: "SendsPerMinutePerProject",
            value: limit
        )
        return quotaExceeded(quota, of: project, retryAfter: retryAfter)
    }

    /// Returns the error for too many membership changes of a project; its names are modelled on
    /// those of sends.
    static func membershipQuotaExceeded(project: String) -> GoogleError {
        let quota = ProjectQuota(
            title: "Topic subscription requests",
            metric: "fcm.googleapis.com/topic_subscription_requests",
            limit: "TopicSubscriptionsPerMinutePerProject",
            value: 180_000
        )
        return quotaExceeded(quota, of: project, retryAfter: nil)
    }

    private static func quotaExceeded(
        _ quota: ProjectQuota,
        of project: String,
        retryAfter: Int?
    ) -> GoogleError {
        GoogleError(
            code: 429,
            status: "RESOURCE_EXHAUSTED",
            message: "Quota exceeded for quota metric '\(quota.title)' and limit '\(quota.title) "
                + "per minute' of service 'fcm.googleapis.com' for consumer 'project_number:\(project)'.",
            details: [
                .errorInfo(
                    "RATE_LIMIT_EXCEEDED",
                    metadata: [
                        "service": "fcm.googleapis.com",
                        "consumer": .string("projects/\(project)"),
                        "quota_metric": .string(quota.metric),
                        "quota_limit": .string(quota.limit),
                        "quota_limit_value": .string(String(quota.value)),
                        "quota_location": "global",
                        "quota_unit": "1/min/{project}",
                    ]
                ),
                .help(
                    "Request a higher quota limit.",
                    url: "https://cloud.google.com/docs/quotas/help/request_increase"
                ),
            ],
            retryAfter: retryAfter
        )
    }

    /// Returns the error for a project in which the API is disabled.
    static func serviceDisabled(project: String) -> GoogleError {
        let console =
            "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project="
            + project
        return GoogleError(
            code: 403,
            status: "PERMISSION_DENIED",
            message: "Firebase Cloud Messaging API has not been used in project \(project) before "
                + "or it is disabled. Enable it by visiting \(console) then retry. If you enabled "
                + "this API recently, wait a few minutes for the action to propagate to our "
                + "systems and retry.",
            details: [
                .help("Google developers console API activation", url: console),
                .errorInfo(
                    "SERVICE_DISABLED",
                    metadata: [
                        "service": "fcm.googleapis.com",
                        "consumer": .string("projects/\(project)"),
                    ]
                ),
            ]
        )
    }
}

extension JSONValue {
    static func fcmError(_ code: String) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": .string(code),
        ]
    }

    fileprivate static func apnsError(_ statusCode: Int64, reason: String) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
            "statusCode": .integer(statusCode), "reason": .string(reason),
        ]
    }

    static func errorInfo(
        _ reason: String,
        metadata: JSONObject,
        domain: String = "googleapis.com"
    ) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(reason),
            "domain": .string(domain), "metadata": .object(metadata),
        ]
    }

    fileprivate static func help(_ description: String, url: String) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.rpc.Help",
            "links": [["description": .string(description), "url": .string(url)]],
        ]
    }
}
