import FCMWire
import JSON

/// A field of a request and what is wrong with it (google.rpc.BadRequest.FieldViolation).
struct FieldViolation: Hashable, Sendable {
    /// Empty where no field is to blame.
    var field = ""
    var description: String
}

/// An error answer of Google's HTTP APIs: `{"error": {code, message, status, details}}` (Google
/// AIP-193; Firebase documentation, FCM error codes).
struct GoogleError: Error, Hashable, Sendable {
    var code: Int
    /// The name of a google.rpc.Code.
    var status: String
    var message: String
    /// Left out of the answer where there is none.
    var details: [JSONValue] = []
    /// Seconds, for the header field Retry-After.
    var retryAfter: Int?
    /// For the header field Allow.
    var allowedMethods: [String] = []

    var answer: EmulatorAnswer {
        var error: JSONObject = [
            "code": .integer(Int64(code)), "message": .string(message), "status": .string(status),
        ]
        if !details.isEmpty { error.append("details", .array(details)) }
        var answer = EmulatorAnswer(status: code, body: ["error": .object(error)])
        answer.allowedMethods = allowedMethods
        if let retryAfter { answer.headers = [("retry-after", String(retryAfter))] }
        return answer
    }
}

/// What any of Google's HTTP APIs answers.
extension GoogleError {
    /// The request can't be read: found before the service itself sees it.
    static func malformedRequest(_ violations: [FieldViolation]) -> GoogleError {
        GoogleError(
            code: 400,
            status: "INVALID_ARGUMENT",
            message: violations.map(\.description).joined(separator: "\n"),
            details: [.badRequest(violations)]
        )
    }

    /// A body that is no JSON.
    static func unreadableBody(_ bytes: [UInt8]) -> GoogleError {
        let problem = JSONProblem(in: bytes)?.text ?? "Unexpected token."
        return .malformedRequest([
            FieldViolation(description: "Invalid JSON payload received. \(problem)")
        ])
    }

    static let unauthenticated = GoogleError(
        code: 401,
        status: "UNAUTHENTICATED",
        message: "Request is missing required authentication credential. Expected OAuth 2 access "
            + "token, login cookie or other valid authentication credential. See "
            + "https://developers.google.com/identity/sign-in/web/devconsole-project."
    )

    static func notFound(path: String) -> GoogleError {
        GoogleError(code: 404, status: "NOT_FOUND", message: "Nothing is served at \(path).")
    }

    /// A resource that is not there.
    static let noSuchEntity = GoogleError(
        code: 404,
        status: "NOT_FOUND",
        message: "Requested entity was not found."
    )

    static func methodNotAllowed(_ methods: [String]) -> GoogleError {
        GoogleError(
            code: 405,
            status: "UNIMPLEMENTED",
            message: "This path has only \(methods.joined(separator: ", ")).",
            allowedMethods: methods
        )
    }

    static let alreadyExists = GoogleError(
        code: 409,
        status: "ALREADY_EXISTS",
        message: "Requested entity already exists"
    )

    static let requestTooLarge = GoogleError(
        code: 413,
        status: "INVALID_ARGUMENT",
        message: "Request payload size exceeds the limit: 8388608 bytes."
    )

    static let resourceExhausted = GoogleError(
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "Resource has been exhausted (e.g. check quota)."
    )

    static func logUnwritable(reason: String) -> GoogleError {
        GoogleError(
            code: 500,
            status: "INTERNAL",
            message:
                "The emulator cannot write its request log (\(reason)); nothing was delivered."
        )
    }
}

extension JSONValue {
    /// A google.rpc.BadRequest; without violations it has no such member.
    static func badRequest(_ violations: [FieldViolation]) -> JSONValue {
        var detail: JSONObject = ["@type": "type.googleapis.com/google.rpc.BadRequest"]
        let described = violations.map { violation -> JSONValue in
            let description = JSONValue.string(violation.description)
            return violation.field.isEmpty
                ? ["description": description]
                : ["field": .string(violation.field), "description": description]
        }
        if !described.isEmpty { detail.append("fieldViolations", .array(described)) }
        return .object(detail)
    }
}
