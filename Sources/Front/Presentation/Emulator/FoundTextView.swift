package import JSON

/// Renders the messages or requests that an emulator found, one line each.
package struct FoundTextView: Sendable {
    package enum Kind: String, Sendable {
        case messages
        case requests
    }

    private let kind: Kind
    private let style: TextStyle

    package init(_ kind: Kind, style: TextStyle = .plain) {
        self.kind = kind
        self.style = style
    }

    /// `answer`: the response of `/emulator/v1/search/…`, `wait` or `assert`.
    package func render(_ answer: JSONValue) -> String {
        let messages = answer["messages"]?.arrayValue
        let requests = answer["requests"]?.arrayValue
        let lines = (messages ?? []).map(message) + (requests ?? []).map(request)
        if lines.isEmpty { return summary(answer) }
        return style.folded(lines.map { $0 + "\n" }.joined())
    }

    private func summary(_ answer: JSONValue) -> String {
        guard let count = answer["matches"]?.integerValue else { return "No \(kind) match.\n" }
        let noun = kind == .messages ? "message" : "request"
        return "\(Int(count).counting("matching \(noun)")).\n"
    }

    private func message(_ message: JSONValue) -> String {
        let time = text(in: message, keys: "received_at", "dropped_at", "accepted_at")
        let how = text(in: message, keys: "how", "outcome")
        var parts = [time, text(in: message, keys: "device"), how, headline(message)]
        let details = ["from", "condition", "sound", "channel_id", "interruption_level"]
        for name in details {
            let value = text(in: message, keys: name)
            if !value.isEmpty { parts.append("\(name): \(value)") }
        }
        if let badge = message["badge"]?.integerValue { parts.append("badge: \(badge)") }
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private func request(_ request: JSONValue) -> String {
        let number = request["seq"]?.integerValue.map(String.init) ?? ""
        let status = request["status"]?.integerValue.map(String.init) ?? ""
        let line = [
            number, text(in: request, keys: "time"), text(in: request, keys: "method"),
            text(in: request, keys: "path"), status, text(in: request, keys: "error"),
            target(request), headline(request),
        ]
        return line.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    /// The target of a send; a registration appears as its fingerprint.
    private func target(_ request: JSONValue) -> String {
        guard let target = request["target"] else { return "" }
        return text(in: target, keys: "topic", "condition", "fingerprint")
    }

    private func headline(_ value: JSONValue) -> String {
        let texts = ["title", "body"].map { text(in: value, keys: $0) }.filter { !$0.isEmpty }
        if !texts.isEmpty { return texts.joined(separator: " — ") }
        let data = value["data"]?.objectValue?.members ?? []
        return data.map { TextStyle.safe("\($0.key)=\($0.value.stringValue ?? "")") }
            .joined(separator: ", ")
    }

    /// The first of several members that has a text.
    private func text(in value: JSONValue, keys: String...) -> String {
        let found = keys.lazy.compactMap { value[$0]?.stringValue }.first
        return TextStyle.safe(found ?? "")
    }
}
