import JSON

/// The errors that a script can name, with Google's answer bodies (Firebase documentation, FCM
/// error codes; Google Cloud APIs, errors).
enum FaultError: String, CaseIterable, Sendable {
    /// The rate of messages to a topic or a device is exceeded.
    case quotaExceeded = "QUOTA_EXCEEDED"
    /// The rate of the project is exceeded.
    ///
    /// The answer has an ErrorInfo and no FcmError, so many libraries misinterpret it
    /// (firebase/firebase-admin-go, issue 719).
    case projectQuotaExceeded = "PROJECT_QUOTA_EXCEEDED"
    case unavailable = "UNAVAILABLE"
    case internalError = "INTERNAL"
    case unregistered = "UNREGISTERED"
    case invalidArgument = "INVALID_ARGUMENT"
    case senderIDMismatch = "SENDER_ID_MISMATCH"
    case thirdPartyAuthError = "THIRD_PARTY_AUTH_ERROR"
    /// The app was removed from an Apple device: status 400 with the APNs status 410 inside.
    case apnsUnregistered = "APNS_UNREGISTERED"
    case apnsTooManyRequests = "APNS_TOO_MANY_REQUESTS"
    case expiredToken = "EXPIRED_TOKEN"
    /// The API is not enabled in the project.
    case serviceDisabled = "SERVICE_DISABLED"
    case tooManyTopics = "TOO_MANY_TOPICS"
    /// The token endpoint rejects an assertion.
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

    /// Whether the error concerns a registration and not the whole request.
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

    /// The error of one registration in a batch of the Instance ID API.
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
    /// Returns the whole answer body for a request in that form.
    func body(for subject: FaultSubject) -> JSONValue {
        switch subject.form {
        case .google: googleError(for: subject).answer.body
        case .plain: ["error": .string(self == .expiredToken ? "Unauthorized" : batchWord)]
        case .oauth:
            [
                "error": .string(oauthWord),
                "error_description": .string(googleError(for: subject).message),
            ]
        }
    }

    private var oauthWord: String {
        switch self {
        case .unavailable: "temporarily_unavailable"
        case .internalError: "internal_failure"
        case .quotaExceeded, .projectQuotaExceeded, .apnsTooManyRequests: "rate_limit_exceeded"
        case .serviceDisabled: "access_denied"
        case .unregistered, .invalidArgument, .senderIDMismatch, .thirdPartyAuthError,
            .apnsUnregistered, .expiredToken, .tooManyTopics, .invalidGrant:
            "invalid_grant"
        }
    }

    private func googleError(for subject: FaultSubject) -> GoogleError {
        switch self {
        case .quotaExceeded:
            subject.registrations.isEmpty && subject.service == .send
                ? .topicQuotaExceeded() : .deviceQuotaExceeded()
        case .projectQuotaExceeded:
            subject.service == .membership
                ? .membershipQuotaExceeded(project: subject.project)
                : .projectQuotaExceeded(project: subject.project)
        case .unavailable: .unavailable()
        case .internalError: .internalError
        case .unregistered: .unregistered
        case .invalidArgument:
            subject.registrations.isEmpty && subject.service == .send
                ? .invalidArgument : .invalidRegistration
        case .senderIDMismatch: .senderIDMismatch
        case .thirdPartyAuthError: .thirdPartyAuth(reason: "InvalidProviderToken")
        case .apnsUnregistered: .apnsTokenDisabled
        case .apnsTooManyRequests: .apnsRateExceeded
        case .expiredToken: .expiredToken
        case .serviceDisabled: .serviceDisabled(project: subject.project)
        case .tooManyTopics: .tooManyTopics
        case .invalidGrant: .invalidGrant
        }
    }
}

extension GoogleError {
    fileprivate static let expiredToken = GoogleError(
        code: 401,
        status: "UNAUTHENTICATED",
        message: "Request had invalid authentication credentials. Expected OAuth 2 access token, "
            + "login cookie or other valid authentication credential. See "
            + "https://developers.google.com/identity/sign-in/web/devconsole-project.",
        details: [.errorInfo("ACCESS_TOKEN_EXPIRED", metadata: ["service": "fcm.googleapis.com"])]
    )

    fileprivate static let invalidGrant = GoogleError(
        code: 400,
        status: "INVALID_ARGUMENT",
        message: "Invalid JWT: the assertion was refused."
    )
}
