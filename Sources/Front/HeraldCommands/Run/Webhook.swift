import CampaignModel
import CurlTransport
import HTTPTransport
import Presentation
import Service
import Text

/// The receiver of notifications, as the operator's variables describe it.
struct Webhook: Sendable {
    private let url: String
    /// Nil if notifications are not signed.
    private let secret: [UInt8]?
    private let source: NotificationSource

    private static let timeLimit = Duration.seconds(10)

    /// Reads the variables that the settings name.
    ///
    /// - Throws: A failure if one is not set, or if the URL would send names over a network without
    ///   TLS.
    init(
        _ settings: NotifySettings,
        from source: NotificationSource,
        in session: Session
    ) throws(CommandFailure) {
        let url = try Self.value(of: settings.webhook, in: session)
        guard let server = ServerAddress(of: url), server.isPrivate else {
            throw CommandFailure(.unusableWebhook(settings.webhook))
        }
        self.url = url
        self.source = source
        var secret: [UInt8]?
        if let reference = settings.secret {
            secret = Array(try Self.value(of: reference, in: session).utf8)
        }
        self.secret = secret
    }

    /// Nothing that a command prints contains the value.
    private static func value(
        of reference: VariableReference,
        in session: Session
    ) throws(CommandFailure) -> String {
        guard let value = session.context.variables[reference.name], !value.isEmpty else {
            throw CommandFailure(.unsetNotifyVariable(reference))
        }
        session.context.mask.hide([reference.name: value])
        return value
    }

    /// The request for one attempt.
    ///
    /// `seconds`: the Unix time of the attempt.
    func request(for notification: ServiceNotification, at seconds: Int64) -> HTTPRequest {
        let body = NotificationJSON.body(of: notification, from: source)
        return HTTPRequest(
            method: .post,
            url: url,
            headers: [
                HTTPHeader(name: "Content-Type", value: "application/json"),
                HTTPHeader(name: "Idempotency-Key", value: notification.id.text),
            ] + WebhookSignature.headers(for: body, with: secret, at: seconds),
            body: body,
            timeLimit: Self.timeLimit
        )
    }
}
