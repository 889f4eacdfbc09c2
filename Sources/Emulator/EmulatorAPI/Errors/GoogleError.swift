import DeliveryModel
import JSON

/// A Google API error: `{"error": {code, message, status, details}}` (Google AIP-193;
/// Firebase documentation, FCM error codes).
package struct GoogleError: Error, Hashable, Sendable {
    var code: Int
    /// The name of a google.rpc.Code.
    var status: String
    var message: String
    /// The details; omitted from the answer if empty.
    var details: [JSONValue] = []
    /// The value of the header field Retry-After, in seconds.
    var retryAfter: Int?
    /// The value of the header field Allow.
    var allowedMethods: [String] = []

    var answer: EmulatorAnswer {
        var error: JSONObject = [
            "code": .integer(Int64(code)), "message": .string(message), "status": .string(status),
        ]
        if !details.isEmpty { error.append("details", value: .array(details)) }
        var answer = EmulatorAnswer(status: code, body: ["error": .object(error)])
        answer.allowedMethods = allowedMethods
        if let retryAfter { answer.headers = [("retry-after", String(retryAfter))] }
        return answer
    }
}

/// Errors that are common to all HTTP APIs of Google.
extension GoogleError {
    /// Returns the error for a request that cannot be parsed, before the service itself sees it.
    static func malformedRequest(_ violations: [FieldViolation]) -> GoogleError {
        GoogleError(
            code: 400,
            status: "INVALID_ARGUMENT",
            message: violations.map(\.sentence).joined(separator: "\n"),
            details: [.badRequest(violations)]
        )
    }

    /// Returns the error for a body that is not JSON.
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

    static func noDevice(named name: String) -> GoogleError {
        GoogleError(
            code: 404,
            status: "NOT_FOUND",
            message: "There is no device \(JSONValue.string(name).compactText) in this project."
        )
    }

    /// The resource does not exist.
    static let noSuchEntity = GoogleError(
        code: 404,
        status: "NOT_FOUND",
        message: "Requested entity was not found."
    )

    static func methodNotAllowed(_ methods: [String]) -> GoogleError {
        GoogleError(
            code: 405,
            status: "UNIMPLEMENTED",
            message: "This path supports only \(methods.joined(separator: ", ")).",
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

extension FieldViolation {
    /// The description with the field's name if "It" stands for the field.
    fileprivate var sentence: String {
        guard !field.isEmpty, description.hasPrefix("It ") else { return description }
        return field + description.dropFirst(2)
    }
}

extension JSONValue {
    /// Creates a google.rpc.BadRequest; without violations it omits the member `fieldViolations`.
    static func badRequest(_ violations: [FieldViolation]) -> JSONValue {
        var detail: JSONObject = ["@type": "type.googleapis.com/google.rpc.BadRequest"]
        let described = violations.map { violation -> JSONValue in
            let description = JSONValue.string(violation.description)
            return violation.field.isEmpty
                ? ["description": description]
                : ["field": .string(violation.field), "description": description]
        }
        if !described.isEmpty { detail.append("fieldViolations", value: .array(described)) }
        return .object(detail)
    }
}
