package import JSON

/// Renders the explanation of an FCM error code as JSON.
package struct ErrorCodeJSONView: Sendable {
    package init() {}

    package func value(_ code: ErrorCodeWording) -> JSONValue {
        .object([
            "code": .string(code.code),
            "place": .string(code.place),
            "meaning": .string(code.meaning),
            "retried": .bool(code.isRetried),
            "advice": .string(code.advice),
        ])
    }
}
