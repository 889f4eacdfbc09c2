import GoogleAuth
import Inbox
import JSON
package import Listening

/// Renders the answer to a message over HTTP.
package struct IntakeAnswerView: Sendable {
    package let status: Int
    /// In addition to the content type.
    package let headers: [(name: String, value: String)]
    package let body: String

    package static let contentType = "application/json"

    package init(_ answer: HTTPIntake.Answer) {
        switch answer {
        case .stored(let id, let isDuplicate):
            status = 202
            headers = []
            let json: JSONValue = [
                "message_id": .string(id), "result": isDuplicate ? "duplicate" : "stored",
            ]
            body = json.compactText + "\n"
        case .refused(let refusal):
            status = refusal.status
            headers = refusal.headers
            body = Self.error(refusal.name, refusal.wording)
        }
    }

    private init(status: Int, code: String, _ message: String, headers: [(String, String)] = []) {
        self.status = status
        self.headers = headers.map { (name: $0.0, value: $0.1) }
        body = Self.error(code, message)
    }

    package static func unknownPath(_ path: String) -> IntakeAnswerView {
        IntakeAnswerView(status: 404, code: "unknown_path", "post messages to \(path)")
    }

    package static let wrongMethod = IntakeAnswerView(
        status: 405,
        code: "wrong_method",
        "use POST",
        headers: [("Allow", "POST")]
    )

    private static func error(_ code: String, _ message: String) -> String {
        let json: JSONValue = [
            "error": ["code": .string(code), "message": .string(message)]
        ]
        return json.compactText + "\n"
    }
}

extension HTTPIntake.Refusal {
    fileprivate var status: Int {
        switch self {
        case .noProof, .token: 401
        case .signature(.replayed): 409
        case .signature(.wrongForm), .signature(.wrongTime), .signature(.wrongSignature): 401
        case .message(.tooLarge): 413
        case .message(.foreignSender): 403
        case .message: 400
        case .conflict: 409
        case .tooMany: 429
        case .notStored, .stopping: 503
        }
    }

    fileprivate var headers: [(name: String, value: String)] {
        switch self {
        case .noProof, .token: [("WWW-Authenticate", "Bearer")]
        case .tooMany(let seconds): [("Retry-After", String(seconds))]
        case .notStored, .stopping: [("Retry-After", "5")]
        case .signature, .message, .conflict: []
        }
    }

    fileprivate var wording: String {
        switch self {
        case .noProof:
            "sign the request with Herald-Timestamp and Herald-Signature, or send an ID token, "
                + "whichever this listener accepts"
        case .signature(.wrongForm):
            "Herald-Timestamp is a Unix time, and Herald-Signature is v1= and 64 hexadecimal digits"
        case .signature(.wrongTime):
            "Herald-Timestamp differs from the listener's clock by more than 300 seconds"
        case .signature(.wrongSignature): "the signature does not belong to this time and body"
        case .signature(.replayed): "a request with this signature was accepted before"
        case .token(let failure): failure.wording
        case .message(let error): error.wording
        case .conflict: "a message with this ID and other content was stored before"
        case .tooMany: "the device sends too many messages per minute"
        case .notStored: "the message is not stored; send it again"
        case .stopping: "the listener stops; send the message again"
        }
    }
}

extension IdentityTokens.Failure {
    fileprivate var wording: String {
        switch self {
        case .notAToken: "the token is not a JWT with the algorithm RS256"
        case .unknownKey: "none of the listener's keys has the token's key ID"
        case .wrongSignature: "the signature of the token is wrong"
        case .expired: "the token has expired"
        case .notYetValid: "the token is not valid yet"
        case .wrongProject: "the token is for another project, or names no user"
        }
    }
}

extension UpstreamMessageError {
    /// Without values of the message, which may contain registrations.
    fileprivate var wording: String {
        switch self {
        case .tooLarge(let bytes):
            "the message has \(bytes) bytes, more than \(UpstreamMessage.sizeLimit)"
        case .notJSON(let offset): "the message is not JSON from byte \(offset) on"
        case .notAnObject: "the message is not a JSON object"
        case .repeatedKey: "the message contains a key twice"
        case .nul: "the message contains U+0000"
        case .otherType: "a message of a device has no message_type"
        case .missing(let member): "`\(member.rawValue)` is missing"
        case .wrongType(let member): "`\(member.rawValue)` has another type"
        case .empty(let member): "`\(member.rawValue)` is empty"
        case .notAStringPair: "a value of `data` is not a string"
        case .invalidRegistration: "`from` is not a registration"
        case .timeToLiveOutOfRange: "`time_to_live` is not from 0 to 2,419,200 seconds"
        case .foreignSender: "`to` names another sender"
        }
    }
}
