import HTTPTransport
import JSON
import Synchronization
import SystemIO

@testable import HeraldCommands

/// A transport that answers from a script and records its requests.
///
/// A class, because requests come from many tasks.
final class FakeServer: ClosableTransport, Sendable {
    enum Reply: Sendable {
        case accepted
        /// FCM's answer with this status and error code.
        case rejected(status: Int, code: String)
        case failure(TransportError)
        /// The user presses Ctrl-C, and then FCM answers with this status and error code.
        case interrupted(status: Int, code: String)
    }

    private struct Log {
        var requests: [HTTPRequest] = []
        var isClosed = false
        var receiveInterrupt: (@Sendable (EndRequest) -> Void)?
    }

    private let script: @Sendable (JSONValue) -> Reply
    private let unreachable: TransportError?
    private let log = Mutex(Log())

    /// `script`: the answer to a request with this body.
    init(
        unreachable: TransportError? = nil,
        script: @escaping @Sendable (JSONValue) -> Reply = { _ in .accepted }
    ) {
        self.unreachable = unreachable
        self.script = script
    }

    var requests: [HTTPRequest] { log.withLock(\.requests) }

    var isClosed: Bool { log.withLock(\.isClosed) }

    /// The messages of the requests, in the order in which they arrived.
    var messages: [JSONValue] {
        requests.compactMap { JSONValue(parsing: $0.body)?["message"] }
    }

    /// The registrations that messages were sent to, sorted.
    var tokens: [String] { messages.compactMap { $0["token"]?.stringValue }.sorted() }

    func onInterrupt(_ receive: (@Sendable (EndRequest) -> Void)?) {
        log.withLock { $0.receiveInterrupt = receive }
    }

    func prepare(_ url: String) async throws(TransportError) {
        if let unreachable { throw unreachable }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        let number = log.withLock { log in
            log.requests.append(request)
            return log.requests.count
        }
        switch script(JSONValue(parsing: request.body) ?? .null) {
        case .accepted:
            let body: JSONValue = ["name": .string("projects/shop/messages/\(number)")]
            return HTTPAnswer(status: 200, body: body.compactBytes)
        case .rejected(let status, let code):
            return HTTPAnswer(status: status, body: Self.error(status: status, code: code))
        case .failure(let error): throw error
        case .interrupted(let status, let code):
            log.withLock(\.receiveInterrupt)?(.interrupt)
            return HTTPAnswer(status: status, body: Self.error(status: status, code: code))
        }
    }

    func shutdown() async {
        log.withLock { $0.isClosed = true }
    }

    private static func error(status: Int, code: String) -> [UInt8] {
        let detail: JSONValue = [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": .string(code),
        ]
        let error: JSONValue = [
            "code": .integer(Int64(status)), "message": "refused by the test",
            "details": .array([detail]),
        ]
        return JSONValue.object(["error": error]).compactBytes
    }
}
