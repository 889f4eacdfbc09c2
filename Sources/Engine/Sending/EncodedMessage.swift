import CampaignMessages
import CampaignModel
import FCMClient
import FCMWire
import HTTPTransport
import JSON
import State
import Time

/// The common parts of all requests of a work unit in one second.
struct EncodedMessage {
    let moment: Instant
    let bearer: HTTPHeader
    /// Without a body.
    private let head: HTTPRequest
    private let body: SendBodyTemplate
    /// The bodies of the other texts, by the value of the rows that get them.
    private let others: [String: SendBodyTemplate]

    /// Encodes a message for the rows of a list.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - end: When it expires.
    ///   - endpoint: The server.
    ///   - shape: What the list contains.
    ///   - moment: The time of the requests.
    init(
        _ message: MessageTemplate,
        end: Instant,
        to endpoint: FCMEndpoint,
        for shape: ListShape,
        at moment: Instant
    ) {
        func body(_ template: MessageTemplate) -> SendBodyTemplate {
            SendBodyTemplate(
                template.message(sentAt: moment),
                to: shape.kind == .fid ? .fid : .token,
                parts: shape.parts(of:)
            )
        }
        self.moment = moment
        bearer = endpoint.bearer.header
        head = endpoint.send(body: [], life: Self.lifeLeft(at: moment, until: end))
        self.body = body(message)
        let others = message.others.map { ($0.key.stored, body($0.template)) }
        self.others = Dictionary(others) { first, _ in first }
    }

    /// Returns the remaining lifetime, at least one second, because the request has been released
    /// for sending.
    static func lifeLeft(at moment: Instant, until end: Instant) -> Duration {
        .seconds(max(1, end.seconds(since: moment)))
    }

    func request(
        to row: RegistrationRow,
        in shape: ListShape
    ) throws(StateStoreError) -> HTTPRequest {
        let body = try body(of: row, in: shape)
        return head.with(body: body.body(to: row.registration.token, values: row.values))
    }

    /// Returns the body of the text that was chosen for a row when the list was stored.
    private func body(
        of row: RegistrationRow,
        in shape: ListShape
    ) throws(StateStoreError) -> SendBodyTemplate {
        guard let column = TextColumn(of: shape.columns), let value = row.values.last,
            !value.isEmpty
        else { return body }
        guard column.key(value) != nil else {
            throw .damaged(
                path: "",
                reason: "a request to a person who is held out was not skipped"
            )
        }
        guard let body = others[value] else {
            throw .damaged(path: "", reason: "a stored message has no text for \(value)")
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
