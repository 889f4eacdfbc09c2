import FCMWire
import HTTPTransport
import Synchronization

/// Answers by a script, and keeps its own record of what it was asked; a class, because requests
/// come from many tasks.
final class ScriptedTransport: Transport, Sendable {
    struct Call: Sendable {
        /// Counts from 1.
        let number: Int
        let url: String
        let headers: [HTTPHeader]
        let body: JSONValue

        var token: String? { body["message"]?["token"]?.stringValue }
        var topic: String? { body["message"]?["topic"]?.stringValue }
        var batch: [String]? {
            body["registration_tokens"]?.arrayValue?.compactMap(\.stringValue)
        }
    }

    enum Reply: Sendable {
        /// What FCM answers to a send or, for a batch, to everybody in it.
        case accepted
        case answer(Int, JSONValue, [HTTPHeader] = [])
        case failure(TransportError)
        /// No answer until the task is cancelled.
        case silence
    }

    private let script: @Sendable (Call) -> Reply
    private let unreachable: TransportError?
    private let calls = Mutex<[Call]>([])

    init(
        unreachable: TransportError? = nil,
        _ script: @escaping @Sendable (Call) -> Reply = { _ in .accepted }
    ) {
        self.unreachable = unreachable
        self.script = script
    }

    var seen: [Call] { calls.withLock { $0 } }

    func prepare(_ url: String) async throws(TransportError) {
        if let unreachable { throw unreachable }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        let call = calls.withLock { calls in
            let call = Call(
                number: calls.count + 1,
                url: request.url,
                headers: request.headers,
                body: JSONValue(parsing: request.body) ?? .null
            )
            calls.append(call)
            return call
        }
        switch script(call) {
        case .accepted: return HTTPAnswer(status: 200, body: success(call).compactBytes)
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
    /// An error in the form of the v1 API, with FCM's own code where there is one.
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

    /// A verdict for each registration of a batch: nil is success.
    static func verdicts(_ words: [String?]) -> Self {
        .answer(
            200,
            ["results": .array(words.map { $0.map { ["error": .string($0)] } ?? [:] })]
        )
    }

    static func lost(_ fate: TransportError.Fate) -> Self {
        .failure(TransportError(fate: fate, reason: .lostConnection, detail: "connection lost"))
    }
}
