import CampaignMessages
import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import State
import Time

/// Builds the requests of one work unit.
///
/// A message is encoded once for all requests of the same second. Only the registration differs
/// between them, and the expiry depends on the second. An actor, so that the loop of the send does
/// not wait while registrations are read.
actor RequestSource {
    private enum Target {
        case fanOut(SendTarget)
        case list(ListWindow)
    }

    private let endpoint: FCMEndpoint
    private var target: Target
    private let message: MessageTemplate
    /// When the message expires.
    private let end: Instant
    private let clock: WallClock
    private var encoded: Encoded?

    /// The common parts of all requests of a second.
    private struct Encoded {
        let moment: Instant
        let bearer: HTTPHeader
        /// Without a body.
        let head: HTTPRequest
        let body: SendBodyTemplate
    }

    init(
        reader: any StateReader,
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
            case .registrations(let list): .list(ListWindow(reader: reader, list: list))
            }
    }

    /// Returns the requests with these numbers.
    func requests(_ numbers: [Int]) async throws(StateStoreError) -> [NumberedRequest] {
        switch target {
        case .fanOut(let target):
            let moment = clock.now()
            let body = message.message(sentAt: moment).body(to: target).compactBytes
            let request = endpoint.send(body: body, life: lifeLeft(at: moment))
            return numbers.map { NumberedRequest(number: $0, request: request) }
        case .list(var window):
            var tokens: [String] = []
            tokens.reserveCapacity(numbers.count)
            for number in numbers { tokens.append(try await window.registration(number).token) }
            target = .list(window)
            let encoded = encoded(at: clock.now())
            return zip(numbers, tokens).map { number, token in
                let request = encoded.head.with(body: encoded.body.body(token: token))
                return NumberedRequest(number: number, request: request)
            }
        }
    }

    /// Returns the remaining lifetime, at least one second, because the request has been released
    /// for sending.
    private func lifeLeft(at moment: Instant) -> Duration {
        .seconds(max(1, end.seconds(since: moment)))
    }

    private func encoded(at moment: Instant) -> Encoded {
        let bearer = endpoint.bearer.header
        if let encoded, encoded.moment == moment, encoded.bearer == bearer { return encoded }
        let made = Encoded(
            moment: moment,
            bearer: bearer,
            head: endpoint.send(body: [], life: lifeLeft(at: moment)),
            body: SendBodyTemplate(message.message(sentAt: moment))
        )
        encoded = made
        return made
    }
}
