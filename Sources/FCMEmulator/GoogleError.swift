import FCMWire

/// A field of a request and what is wrong with it (google.rpc.BadRequest.FieldViolation).
struct FieldViolation: Hashable, Sendable {
    /// Empty where no field is to blame.
    var field = ""
    var description: String
}

/// The error answers of Google's HTTP APIs: `{"error": {code, message, status, details}}`
/// (Firebase documentation, FCM error codes).
enum GoogleError: Error, Hashable, Sendable {
    /// The request can't be read: found before FCM itself sees it, so without an FcmError.
    case malformedRequest([FieldViolation])
    /// FCM refuses the message.
    case invalidArgument(FieldViolation)
    case invalidRegistration
    case unregistered
    case unauthenticated
    case notFound(path: String)
    case methodNotAllowed([String])
    case requestTooLarge
    case logUnwritable(reason: String)

    var answer: EmulatorAnswer {
        var answer = EmulatorAnswer(
            status: code,
            body: [
                "error": [
                    "code": .integer(Int64(code)), "message": .string(message),
                    "status": .string(status), "details": .array(details),
                ]
            ]
        )
        if case .methodNotAllowed(let methods) = self { answer.allowedMethods = methods }
        return answer
    }

    private var code: Int {
        switch self {
        case .malformedRequest, .invalidArgument, .invalidRegistration: 400
        case .unauthenticated: 401
        case .unregistered, .notFound: 404
        case .methodNotAllowed: 405
        case .requestTooLarge: 413
        case .logUnwritable: 500
        }
    }

    private var status: String {
        switch self {
        case .malformedRequest, .invalidArgument, .invalidRegistration, .requestTooLarge:
            "INVALID_ARGUMENT"
        case .unauthenticated: "UNAUTHENTICATED"
        case .unregistered, .notFound: "NOT_FOUND"
        case .methodNotAllowed: "UNIMPLEMENTED"
        case .logUnwritable: "INTERNAL"
        }
    }

    private var message: String {
        switch self {
        case .malformedRequest(let violations):
            violations.map(\.description).joined(separator: "\n")
        case .invalidArgument(let violation): violation.description
        case .invalidRegistration:
            "The registration token is not a valid FCM registration token"
        case .unregistered: "Requested entity was not found."
        case .unauthenticated:
            "Request is missing required authentication credential. Expected OAuth 2 access "
                + "token, login cookie or other valid authentication credential."
        case .notFound(let path): "Nothing is served at \(path)."
        case .methodNotAllowed(let methods):
            "This path has only \(methods.joined(separator: ", "))."
        case .requestTooLarge: "Request payload size exceeds the limit: 8388608 bytes."
        case .logUnwritable(let reason):
            "The emulator cannot write its request log (\(reason)); nothing was delivered."
        }
    }

    private var details: [JSONValue] {
        switch self {
        case .malformedRequest(let violations): [.badRequest(violations)]
        case .invalidArgument(let violation):
            [.fcmError("INVALID_ARGUMENT"), .badRequest([violation])]
        case .invalidRegistration: [.fcmError("INVALID_ARGUMENT")]
        case .unregistered: [.fcmError("UNREGISTERED")]
        case .unauthenticated, .notFound, .methodNotAllowed, .requestTooLarge, .logUnwritable: []
        }
    }
}

extension JSONValue {
    static func fcmError(_ code: String) -> JSONValue {
        [
            "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
            "errorCode": .string(code),
        ]
    }

    fileprivate static func badRequest(_ violations: [FieldViolation]) -> JSONValue {
        let described = violations.map { violation -> JSONValue in
            let description = JSONValue.string(violation.description)
            return violation.field.isEmpty
                ? ["description": description]
                : ["field": .string(violation.field), "description": description]
        }
        return [
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": .array(described),
        ]
    }
}
