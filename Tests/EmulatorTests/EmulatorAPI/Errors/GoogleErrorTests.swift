import JSON
import TestSupport
import Testing

@testable import EmulatorAPI

/// Tests of answers that only faults cause.
struct GoogleErrorTests {
    static let bodies: [(GoogleError, JSONValue)] = [
        (
            .projectQuotaExceeded(project: "906714216210"),
            [
                "code": 429,
                "message":
                    "Quota exceeded for quota metric 'Send requests' and limit 'Send requests per minute' of service 'fcm.googleapis.com' for consumer 'project_number:906714216210'.",
                "status": "RESOURCE_EXHAUSTED",
                "details": [
                    [
                        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                        "reason": "RATE_LIMIT_EXCEEDED", "domain": "googleapis.com",
                        "metadata": [
                            "quota_limit_value": "600000", "consumer": "projects/906714216210",
                            "quota_metric": "fcm.googleapis.com/send_requests",
                            "quota_unit": "1/min/{project}", "service": "fcm.googleapis.com",
                            "quota_location": "global", "quota_limit": "SendsPerMinutePerProject",
                        ],
                    ],
                    [
                        "@type": "type.googleapis.com/google.rpc.Help",
                        "links": [
                            [
                                "description": "Request a higher quota limit.",
                                "url":
                                    "https://cloud.google.com/docs/quotas/help/request_increase",
                            ]
                        ],
                    ],
                ],
            ]
        ),
        (
            .thirdPartyAuth(reason: "InvalidProviderToken"),
            [
                "code": 401, "message": "Auth error from APNS or Web Push Service",
                "status": "UNAUTHENTICATED",
                "details": [
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                        "errorCode": "THIRD_PARTY_AUTH_ERROR",
                    ],
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                        "statusCode": 403, "reason": "InvalidProviderToken",
                    ],
                ],
            ]
        ),
        (
            .apnsTokenDisabled,
            [
                "code": 400, "message": "APNs device token is disabled.",
                "status": "INVALID_ARGUMENT",
                "details": [
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                        "errorCode": "INVALID_ARGUMENT",
                    ],
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.ApnsError",
                        "statusCode": 410, "reason": "Unregistered",
                    ],
                ],
            ]
        ),
        (
            .topicQuotaExceeded(),
            [
                "code": 429, "message": "Topic quota exceeded.", "status": "RESOURCE_EXHAUSTED",
                "details": [
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                        "errorCode": "QUOTA_EXCEEDED",
                    ],
                    [
                        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
                        "violations": [["description": "Topic quota exceeded."]],
                    ],
                ],
            ]
        ),
        (
            .unavailable(),
            [
                "code": 503, "message": "The service is currently unavailable.",
                "status": "UNAVAILABLE",
                "details": [
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                        "errorCode": "UNAVAILABLE",
                    ]
                ],
            ]
        ),
        (
            .internalError,
            [
                "code": 500, "message": "Internal error encountered.", "status": "INTERNAL",
                "details": [
                    [
                        "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                        "errorCode": "INTERNAL",
                    ]
                ],
            ]
        ),
    ]

    @Test(
        .covers(
            "F1.7-apns-disabled",
            "F1.7-apns-error",
            "F1.7-error-info",
            "F1.7-quota-failure",
            "F1.7-third-party"
        ),
        arguments: bodies
    )
    func `has Google's answer body`(error: GoogleError, body: JSONValue) {
        #expect(error.answer.body == ["error": body])
        #expect(Int64(error.answer.status) == body["code"]?.integerValue)
    }

    @Test(.covers("F1.7-retry-after")) func `includes the retry time if it is set`() {
        let told = GoogleError.projectQuotaExceeded(project: "p", retryAfter: 30).answer.headers
        #expect(told.map(\.name) == ["retry-after"])
        #expect(told.map(\.value) == ["30"])
        #expect(GoogleError.projectQuotaExceeded(project: "p").answer.headers.isEmpty)
    }
}
