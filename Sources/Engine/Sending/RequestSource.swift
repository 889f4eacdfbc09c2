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
/// A message is encoded once per language for all requests of the same second. Only the registration
/// and the values of its row differ between them, and the expiry depends on the second. An actor, so that the loop of the send does
/// not wait while registrations are read.
actor RequestSource {
    enum Target {
        case fanOut(SendTarget)
        case list(ListWindow)
    }

    private let endpoint: FCMEndpoint
    private var target: Target
    private let message: MessageTemplate
    /// When the message expires.
    private let end: Instant
    private let clock: WallClock
    private var encoded: EncodedMessage?
    /// Ends when no earlier call reads the list any more.
    private var turn: Task<Void, Never>?

    init(
        endpoint: FCMEndpoint,
        target: Target,
        message: MessageTemplate,
        end: Instant,
        clock: WallClock
    ) {
        self.endpoint = endpoint
        self.target = target
        self.message = message
        self.end = end
        self.clock = clock
    }

    /// Returns the requests with these numbers.
    ///
    /// Calls take turns, so that a page that several of them need is read once.
    func requests(_ numbers: [Int]) async throws(StateStoreError) -> [NumberedRequest] {
        let former = turn
        let own = Task { () -> Result<[NumberedRequest], StateStoreError> in
            await former?.value
            do throws(StateStoreError) {
                return .success(try await build(numbers))
            } catch {
                return .failure(error)
            }
        }
        turn = Task { _ = await own.value }
        return try await own.value.get()
    }

    private func build(_ numbers: [Int]) async throws(StateStoreError) -> [NumberedRequest] {
        switch target {
        case .fanOut(let target):
            let moment = clock.now()
            let body = message.message(sentAt: moment).body(to: target).compactBytes
            let life = EncodedMessage.lifeLeft(at: moment, until: end)
            let request = endpoint.send(body: body, life: life)
            return numbers.map { NumberedRequest(number: $0, request: request) }
        case .list(var window):
            var rows: [RegistrationRow] = []
            rows.reserveCapacity(numbers.count)
            for number in numbers { rows.append(try await window.row(number)) }
            target = .list(window)
            guard let shape = window.shape else { return [] }
            let encoded = try encoded(at: clock.now(), for: shape)
            return try encoded.requests(numbers, to: rows, in: shape)
        }
    }

    private func encoded(
        at moment: Instant,
        for shape: ListShape
    ) throws(StateStoreError) -> EncodedMessage {
        if let encoded, encoded.moment == moment, encoded.bearer == endpoint.bearer.header {
            return encoded
        }
        let made = try EncodedMessage(message, end: end, to: endpoint, for: shape, at: moment)
        encoded = made
        return made
    }
}

extension RequestSource.Target {
    init(of sending: ActiveOccurrence, in reader: any StateReader) {
        self =
            switch sending.unit.target {
            case .topic(let topic): .fanOut(.topic(topic.name))
            case .condition(let text): .fanOut(.condition(text))
            case .group: .fanOut(.token(sending.groupKey ?? ""))
            case .registrations(let list):
                .list(ListWindow(reader: reader, list: list, inOrderTo: .max))
            }
    }
}
