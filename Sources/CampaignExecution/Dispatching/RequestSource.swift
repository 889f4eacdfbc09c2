import CampaignMessages
import CampaignModel
import CampaignState
import FCMWire
import HTTPTransport
import Scheduling

/// Makes the requests of one unit.
///
/// A message is encoded once for all requests of a second: between them only the registration
/// differs, and the second decides what expires when.
struct RequestSource {
    private enum Target {
        case fanOut(SendTarget)
        case list(ListWindow)
    }

    private let endpoint: FCMEndpoint
    private var target: Target
    private let message: MessageTemplate
    /// When the message is worth nothing any more.
    private let end: Instant
    private let clock: WallClock
    private var encoded: (moment: Instant, body: SendBodyTemplate)?

    init(
        store: any StateStore,
        endpoint: FCMEndpoint,
        target: UnitTarget,
        groupKey: String?,
        message: MessageTemplate,
        end: Instant,
        clock: WallClock
    ) {
        self.endpoint = endpoint
        self.message = message
        self.end = end
        self.clock = clock
        self.target =
            switch target {
            case .topic(let topic): .fanOut(.topic(topic.name))
            case .condition(let text): .fanOut(.condition(text))
            case .group: .fanOut(.token(groupKey ?? ""))
            case .registrations(let list): .list(ListWindow(store: store, list: list))
            }
    }

    mutating func request(_ number: Int) throws(StateStoreError) -> HTTPRequest {
        switch target {
        case .fanOut(let target): return fanOut(to: target)
        case .list(var window):
            let registration = try window.registration(number)
            target = .list(window)
            return endpoint.send(body: body().body(token: registration.token), life: lifeLeft)
        }
    }

    private func fanOut(to target: SendTarget) -> HTTPRequest {
        let request = message.message(sentAt: clock.now())
        return endpoint.send(body: request.body(to: target).compactBytes, life: lifeLeft)
    }

    /// A second at least: what is asked for is to be sent.
    private var lifeLeft: Duration { .seconds(max(1, end.seconds(since: clock.now()))) }

    private mutating func body() -> SendBodyTemplate {
        let now = clock.now()
        if let encoded, encoded.moment == now { return encoded.body }
        let body = SendBodyTemplate(message.message(sentAt: now))
        encoded = (now, body)
        return body
    }
}
