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
    private enum Target {
        case fanOut(SendTarget)
        case list(ListWindow)
    }

    private let reader: any StateReader
    private let endpoint: FCMEndpoint
    private var target: Target
    private let message: MessageTemplate
    /// When the message expires.
    private let end: Instant
    private let clock: WallClock
    private var encoded: Encoded?

    /// The common parts of all requests of a second.
    fileprivate struct Encoded {
        let moment: Instant
        let bearer: HTTPHeader
        /// Without a body.
        let head: HTTPRequest
        let body: SendBodyTemplate
        /// The bodies in other languages, by the key of `locales`.
        let localized: [String: SendBodyTemplate]
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
        self.reader = reader
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
            var rows: [RegistrationRow] = []
            rows.reserveCapacity(numbers.count)
            for number in numbers { rows.append(try await window.row(number)) }
            target = .list(window)
            guard let shape = window.shape else { return [] }
            let encoded = encoded(at: clock.now(), for: shape)
            var requests: [NumberedRequest] = []
            requests.reserveCapacity(rows.count)
            for (number, row) in zip(numbers, rows) {
                let body = try encoded.body(of: row, in: shape)
                    .body(to: row.registration.token, values: row.values)
                requests.append(
                    NumberedRequest(number: number, request: encoded.head.with(body: body))
                )
            }
            return requests
        }
    }

    /// Returns the remaining lifetime, at least one second, because the request has been released
    /// for sending.
    private func lifeLeft(at moment: Instant) -> Duration {
        .seconds(max(1, end.seconds(since: moment)))
    }

    private func encoded(at moment: Instant, for shape: ListShape) -> Encoded {
        let bearer = endpoint.bearer.header
        if let encoded, encoded.moment == moment, encoded.bearer == bearer { return encoded }
        func body(_ template: MessageTemplate) -> SendBodyTemplate {
            SendBodyTemplate(
                template.message(sentAt: moment),
                to: shape.kind == .fid ? .fid : .token,
                parts: shape.parts(of:)
            )
        }
        let localized = message.localized.map { ($0.locale.tag, body($0.template)) }
        let made = Encoded(
            moment: moment,
            bearer: bearer,
            head: endpoint.send(body: [], life: lifeLeft(at: moment)),
            body: body(message),
            localized: Dictionary(localized) { first, _ in first }
        )
        encoded = made
        return made
    }
}

extension RequestSource.Encoded {
    /// Returns the body in the language that was chosen for a row when the list was stored.
    fileprivate func body(
        of row: RegistrationRow,
        in shape: ListShape
    ) throws(StateStoreError) -> SendBodyTemplate {
        guard shape.columns.last == MessageColumns.keyColumn, let key = row.values.last,
            !key.isEmpty
        else { return body }
        guard let body = localized[key] else {
            throw .damaged(path: "", reason: "a stored message has no text for the locale \(key)")
        }
        return body
    }
}

extension ListShape {
    /// Divides a text into literals and the numbers of columns.
    ///
    /// A text of a list without columns has no placeholders, and the columns of a list are those
    /// of its message.
    fileprivate func parts(of text: String) -> [TextPart] {
        guard !columns.isEmpty, let template = try? TextTemplate(parsing: text) else {
            return [.literal(text)]
        }
        return template.parts.map { part in
            switch part {
            case .literal(let text): .literal(text)
            case .column(let name):
                columns.firstIndex(of: name).map { .gap($0) } ?? .literal("{{\(name)}}")
            }
        }
    }
}
