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
    private let body: RowBodyTemplate
    /// The bodies of the other texts, by the value of the rows that get them.
    private let others: [String: RowBodyTemplate]

    /// Encodes a message for the rows of a list.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - end: When it expires.
    ///   - endpoint: The server.
    ///   - shape: What the list contains.
    ///   - moment: The time of the requests.
    /// - Throws: `.damaged` if an encrypted message has no keys.
    init(
        _ message: MessageTemplate,
        end: Instant,
        to endpoint: FCMEndpoint,
        for shape: ListShape,
        at moment: Instant
    ) throws(StateStoreError) {
        self.moment = moment
        bearer = endpoint.bearer.header
        head = endpoint.send(body: [], life: Self.lifeLeft(at: moment, until: end))
        body = try RowBodyTemplate(message, sentAt: moment, for: shape)
        var others: [String: RowBodyTemplate] = [:]
        for other in message.others where others[other.key.stored] == nil {
            others[other.key.stored] = try RowBodyTemplate(
                other.template,
                sentAt: moment,
                for: shape
            )
        }
        self.others = others
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
        head.with(body: try body(of: row, in: shape).body(to: row))
    }

    /// Returns the requests to rows of the list; on all cores if each has to be encrypted.
    ///
    /// `numbers`: those of the requests, in the order of the rows.
    func requests(
        _ numbers: [Int],
        to rows: [RegistrationRow],
        in shape: ListShape
    ) throws(StateStoreError) -> [NumberedRequest] {
        var requests: [NumberedRequest] = []
        requests.reserveCapacity(rows.count)
        guard body.isSealed else {
            for (number, row) in zip(numbers, rows) {
                let request = try request(to: row, in: shape)
                requests.append(NumberedRequest(number: number, request: request))
            }
            return requests
        }
        let made = mapInParallel(rows, grain: Self.encryptedAtOnce) { row in
            Result { () throws(StateStoreError) in try self.request(to: row, in: shape) }
        }
        for (number, request) in zip(numbers, made) {
            requests.append(NumberedRequest(number: number, request: try request.get()))
        }
        return requests
    }

    /// An envelope costs several times as much as a request in the clear.
    private static let encryptedAtOnce = 4

    /// Returns the body of the text that was chosen for a row when the list was stored.
    private func body(
        of row: RegistrationRow,
        in shape: ListShape
    ) throws(StateStoreError) -> RowBodyTemplate {
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
    func parts(of text: String) -> [TextPart] {
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
