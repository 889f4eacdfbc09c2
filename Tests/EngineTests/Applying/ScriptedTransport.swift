import FCMWire
import HTTPTransport
import JSON
import RunControl
import Synchronization

/// Answers from a script and records its requests.
///
/// A class, because requests come from many tasks.
final class ScriptedTransport: Transport, Sendable {
    struct Call: Sendable {
        /// Counts from 1.
        let number: Int
        let method: HTTPRequest.Method
        let url: String
        let headers: [HTTPHeader]
        let body: JSONValue

        var token: String? { body["message"]?["token"]?.stringValue }
        var topic: String? { body["message"]?["topic"]?.stringValue }
        /// The registration in a change of a single subscription.
        var single: String? {
            guard url.contains("/registrations/") else { return nil }
            return String(url.drop { $0 != "S" }.prefix { $0 != "?" && $0 != "/" })
        }

        var batch: [String]? {
            body["registration_tokens"]?.arrayValue?.compactMap(\.stringValue)
        }
    }

    /// A query for a registration's memberships.
    struct Ask: Sendable {
        /// Counts from 1.
        let number: Int
        let url: String

        var token: String {
            String(url.drop { $0 != "S" }.prefix { $0 != "?" && $0 != "/" })
        }
    }

    enum Reply: Sendable {
        /// Success for a send or, for a batch, for all its registrations.
        case accepted
        /// The same answer, once the signal is raised.
        case acceptedAfter(StopSignal)
        case answer(Int, JSONValue, [HTTPHeader] = [])
        case failure(TransportError)
        /// No answer until the task is cancelled.
        case silence
    }

    private let script: @Sendable (Call) async -> Reply
    private let unreachable: TransportError?
    private let info: @Sendable (Ask) async -> Reply
    private let calls = Mutex<[Call]>([])
    private let asks = Mutex<[Ask]>([])

    init(
        unreachable: TransportError? = nil,
        _ script: @escaping @Sendable (Call) async -> Reply = { _ in .accepted }
    ) {
        self.unreachable = unreachable
        info = { _ in .topics([]) }
        self.script = script
    }

    /// Answers queries for memberships from a separate script.
    static func telling(
        info: @escaping @Sendable (Ask) async -> Reply,
        script: @escaping @Sendable (Call) async -> Reply = { _ in .accepted }
    ) -> ScriptedTransport {
        ScriptedTransport(telling: info, script)
    }

    private init(
        telling info: @escaping @Sendable (Ask) async -> Reply,
        _ script: @escaping @Sendable (Call) async -> Reply
    ) {
        unreachable = nil
        self.info = info
        self.script = script
    }

    /// The sends and changes so far.
    var seen: [Call] { calls.withLock { $0 } }

    /// The registrations whose memberships were queried.
    var asked: [String] { asks.withLock { $0.map(\.token) } }

    func prepare(_ url: String) async throws(TransportError) {
        if let unreachable { throw unreachable }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        if request.method == .get {
            let ask = asks.withLock { asks in
                asks.append(Ask(number: asks.count + 1, url: request.url))
                return asks[asks.count - 1]
            }
            return try await answer(await info(ask), success: ["rel": ["topics": [:]]])
        }
        let call = calls.withLock { calls in
            let call = Call(
                number: calls.count + 1,
                method: request.method,
                url: request.url,
                headers: request.headers,
                body: JSONValue(parsing: request.body) ?? .null
            )
            calls.append(call)
            return call
        }
        return try await answer(await script(call), success: success(call))
    }

    private func answer(
        _ reply: Reply,
        success: JSONValue
    ) async throws(TransportError) -> HTTPAnswer {
        switch reply {
        case .accepted: return HTTPAnswer(status: 200, body: success.compactBytes)
        case .acceptedAfter(let signal):
            await signal.wait()
            return HTTPAnswer(status: 200, body: success.compactBytes)
        case .answer(let status, let body, let headers):
            return HTTPAnswer(status: status, headers: headers, body: body.compactBytes)
        case .failure(let error): throw error
        case .silence:
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(60)) }
            throw TransportError(fate: .perhapsSent, reason: .cancelled, detail: "cancelled")
        }
    }

    private func success(_ call: Call) -> JSONValue {
        if let batch = call.batch { return ["results": .array(batch.map { _ in [:] })] }
        return ["name": .string("projects/shop-1/messages/\(call.number)")]
    }
}

extension ScriptedTransport.Reply {
    /// Returns a v1 API error, with FCM's own code if there is one.
    static func refusal(_ status: Int, _ name: String, _ code: String? = nil) -> Self {
        let type = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
        let detail = code.map {
            JSONValue.object(["@type": .string(type), "errorCode": .string($0)])
        }
        return .answer(
            status,
            [
                "error": [
                    "code": .integer(Int64(status)), "message": "words", "status": .string(name),
                    "details": .array([detail].compactMap(\.self)),
                ]
            ]
        )
    }

    /// Returns a verdict per registration of a batch; nil means success.
    static func verdicts(_ words: [String?]) -> Self {
        .answer(
            200,
            ["results": .array(words.map { $0.map { ["error": .string($0)] } ?? [:] })]
        )
    }

    /// Returns one page of a registration's subscriptions in the v1 API.
    static func page(_ names: [String], next: String? = nil) -> Self {
        var page: JSONObject = [
            "topic_subscriptions": .array(names.map { ["topic_name": .string($0)] })
        ]
        if let next { page.append("next_page_token", value: .string(next)) }
        return .answer(200, .object(page))
    }

    /// Returns a registration's subscriptions.
    static func topics(_ names: [String]) -> Self {
        let topics = names.map { JSONObject.Member(key: $0, value: ["addDate": "2027-01-15"]) }
        return .answer(200, ["rel": ["topics": .object(JSONObject(topics))]])
    }

    static func lost(_ fate: TransportError.Fate) -> Self {
        .failure(TransportError(fate: fate, reason: .lostConnection, detail: "connection lost"))
    }
}
