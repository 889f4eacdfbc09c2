import FCMClient
package import HTTPTransport

/// What an attempt to deliver a notification achieved.
package enum WebhookAnswer: Hashable, Sendable {
    case delivered
    /// It may succeed later; `after` is the pause that the receiver asks for.
    case unavailable(reason: String, after: Duration?)
    /// A repetition would not help.
    case refused(reason: String)

    /// Any 2xx accepts the notification.
    ///
    /// A redirect is refused, because it leads to a receiver that the operator did not name.
    package init(_ answer: HTTPAnswer) {
        let reason = "HTTP \(answer.status)"
        switch answer.status {
        case 200..<300: self = .delivered
        case 408, 425, 429, 500...: self = .unavailable(reason: reason, after: answer.retryAfter)
        default: self = .refused(reason: reason)
        }
    }

    package init(_ error: TransportError) {
        self = .unavailable(reason: error.detail, after: nil)
    }
}
