import CampaignMessages
import FCMWire
import JSON

/// Explains an FCM error code: its meaning, whether Herald retries, and what to do.
package struct ErrorCodeWording: Hashable, Sendable {
    package let code: String
    /// The operation that returns the code: sends or membership changes.
    package let place: String
    package let meaning: String
    package let isRetried: Bool
    package let advice: String

    /// The codes with this name, in the order of the reference.
    ///
    /// A code can occur in two operations.
    package static func named(_ name: String) -> [ErrorCodeWording] {
        all.filter { $0.code == name.uppercased() }
    }

    package static let all = sends + memberships
}

extension ErrorCodeWording {
    private static func send(
        _ code: String,
        meaning: String,
        isRetried: Bool = false,
        advice: String
    ) -> ErrorCodeWording {
        ErrorCodeWording(
            code: code,
            place: "answer to a send",
            meaning: meaning,
            isRetried: isRetried,
            advice: advice
        )
    }

    private static func membership(
        _ code: String,
        meaning: String,
        isRetried: Bool = false,
        advice: String
    ) -> ErrorCodeWording {
        ErrorCodeWording(
            code: code,
            place: "result of a subscription",
            meaning: meaning,
            isRetried: isRetried,
            advice: advice
        )
    }

    private static let repeatAdvice =
        "A send to a single registration is repeated if the message \(RepeatEffect.rule): the "
        + "repeat replaces the first message. Every other send stays unknown. `on_unknown` in the "
        + "campaign changes that."

    /// From the Firebase reference, ErrorCode.
    private static let sends = [
        send(
            "INVALID_ARGUMENT",
            meaning:
                "FCM rejects the message or the registration: a field is invalid, too large or "
                + "reserved, or the registration is not one of the app. Includes APNs status 410.",
            advice:
                "Read FCM's message in the history; `herald validate --online` shows it at its line. "
                + "Remove registrations that FCM always rejects from their list."
        ),
        send(
            "UNREGISTERED",
            meaning:
                "The app instance is gone: uninstalled, its data cleared, or inactive for 270 days.",
            advice: "Remove the registration from your lists: it never works again."
        ),
        send(
            "SENDER_ID_MISMATCH",
            meaning:
                "The registration belongs to a Firebase project other than the one that sends.",
            advice: "Check the environment's project and the list. The registration is not dead."
        ),
        send(
            "QUOTA_EXCEEDED",
            meaning:
                "Too many messages: per minute in the project, to one device, or to one topic.",
            isRetried: true,
            advice: "Herald waits as long as FCM requests (default: a minute) and continues."
        ),
        send(
            "UNAVAILABLE",
            meaning: "FCM is overloaded. The message may have been delivered anyway.",
            isRetried: true,
            advice: repeatAdvice
        ),
        send(
            "INTERNAL",
            meaning: "FCM had an internal error. The message may have been delivered.",
            isRetried: true,
            advice: repeatAdvice
        ),
        send(
            "THIRD_PARTY_AUTH_ERROR",
            meaning: "FCM could not authenticate with Apple's or the browser's push service.",
            advice: "Renew the APNs key or the web push certificate in the Firebase console."
        ),
    ]

    /// From the Google documentation, Instance ID server reference.
    private static let memberships = [
        membership(
            "NOT_FOUND",
            meaning: "The registration was deleted, or the app was uninstalled.",
            advice: "Remove it from your lists."
        ),
        membership(
            "INVALID_ARGUMENT",
            meaning: "The registration is not valid for this project.",
            advice: "Check the list and the environment's project."
        ),
        membership(
            "TOO_MANY_TOPICS",
            meaning: "The app instance is subscribed to 2,000 topics, which is the maximum.",
            advice: "Unsubscribe it from topics that are no longer used."
        ),
        membership(
            "INTERNAL",
            meaning: "The service had an internal error.",
            isRetried: true,
            advice: "Herald retries: a repeated join has no effect."
        ),
        membership(
            "RESOURCE_EXHAUSTED",
            meaning: "Too many subscriptions were changed at once.",
            isRetried: true,
            advice: "Herald waits and retries."
        ),
    ]
}
