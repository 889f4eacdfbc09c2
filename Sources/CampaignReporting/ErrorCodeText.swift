import CampaignMessages
import FCMWire

/// What a code in FCM's answers means, whether Herald repeats the request, and what to do.
package struct ErrorCodeText: Hashable, Sendable {
    package let code: String
    /// In answers to sends, or to changes of memberships.
    package let place: String
    package let meaning: String
    package let isRetried: Bool
    package let advice: String

    /// The codes by this name, in the order of the reference; a name can have two places.
    package static func named(_ name: String) -> [ErrorCodeText] {
        all.filter { $0.code == name.uppercased() }
    }

    package static let all = sends + memberships
}

extension ErrorCodeText {
    private static func send(
        _ code: String,
        _ meaning: String,
        isRetried: Bool = false,
        _ advice: String
    ) -> ErrorCodeText {
        ErrorCodeText(
            code: code,
            place: "answer to a send",
            meaning: meaning,
            isRetried: isRetried,
            advice: advice
        )
    }

    private static func membership(
        _ code: String,
        _ meaning: String,
        isRetried: Bool = false,
        _ advice: String
    ) -> ErrorCodeText {
        ErrorCodeText(
            code: code,
            place: "result of a subscription",
            meaning: meaning,
            isRetried: isRetried,
            advice: advice
        )
    }

    private static let repeatAdvice =
        "A send to a single registration is repeated if the message \(RepeatEffect.rule): the repeat "
        + "replaces the first message. Every other send stays unknown. `on_unknown` in the campaign "
        + "changes that."

    /// Firebase reference, ErrorCode.
    private static let sends = [
        send(
            "INVALID_ARGUMENT",
            "FCM does not take the message or the registration: a field is wrong, too large or "
                + "reserved, or the registration is none of the app's. APNs' 410 comes so too.",
            "Read FCM's words in the history; `herald validate --online` puts them at the line. "
                + "A registration that is refused for good belongs out of its list."
        ),
        send(
            "UNREGISTERED",
            "The app instance is gone: uninstalled, its data cleared, or silent for 270 days.",
            "Take the registration out of your lists: it never works again."
        ),
        send(
            "SENDER_ID_MISMATCH",
            "The registration belongs to another Firebase project than the one that sends.",
            "Check the environment's project and the list. The registration is not dead."
        ),
        send(
            "QUOTA_EXCEEDED",
            "Too many messages: of the project a minute, to one device, or to one topic.",
            isRetried: true,
            "Herald waits as long as FCM says, a minute where it says nothing, and goes on."
        ),
        send(
            "UNAVAILABLE",
            "FCM is overloaded. The message may have been delivered all the same.",
            isRetried: true,
            repeatAdvice
        ),
        send(
            "INTERNAL",
            "Something went wrong inside of FCM. The message may have been delivered.",
            isRetried: true,
            repeatAdvice
        ),
        send(
            "THIRD_PARTY_AUTH_ERROR",
            "FCM could not sign in to Apple's or the browser's push service.",
            "Renew the APNs key or the web push certificate in the Firebase console."
        ),
    ]

    /// Google documentation, Instance ID server reference.
    private static let memberships = [
        membership(
            "NOT_FOUND",
            "The registration was deleted, or the app was uninstalled.",
            "Take it out of your lists."
        ),
        membership(
            "INVALID_ARGUMENT",
            "The registration is not valid for this project.",
            "Check the list and the environment's project."
        ),
        membership(
            "TOO_MANY_TOPICS",
            "The app instance is in 2,000 topics, and no more are allowed.",
            "Take it out of topics that nobody sends to any more."
        ),
        membership(
            "INTERNAL",
            "Something went wrong inside of the service.",
            isRetried: true,
            "Herald asks again: joining twice does nothing twice."
        ),
        membership(
            "RESOURCE_EXHAUSTED",
            "Too many subscriptions were changed at once.",
            isRetried: true,
            "Herald waits and asks again."
        ),
    ]
}
