import DeliveryModel
import JSON
import Text

/// The searchable parts of a recorded request.
struct RequestSummary {
    private let line: JSONValue
    private let subject: FaultSubject?
    private let message: JSONValue?
    /// FCM's error code, or Google's status; nil without an error.
    let error: String?
    /// The fault rule that changed the answer.
    let rule: String?

    init(_ line: JSONValue) {
        self.line = line
        let request = EmulatorRequest(
            method: line["method"]?.stringValue ?? "",
            target: line["path"]?.stringValue ?? "",
            authorization: nil,
            projectID: nil,
            json: line["body"] ?? .null
        )
        subject = FaultSubject(request)
        message = line["body"]?["message"]
        let code = line["answer"]?.answerCode ?? ""
        error = code == "OK" || code.isEmpty ? nil : code
        rule = line["fault"]?["rule"]?.stringValue
    }

    func matches(_ terms: SearchTerms) -> Bool {
        if let time = terms.time {
            let moment = line["time"]?.stringValue.flatMap { DeliveryMoment(rfc3339: $0) }
            guard let moment, time.contains(moment) else { return false }
        }
        if let topic = terms.topic, subject?.topic != topic { return false }
        if let condition = terms.condition, subject?.condition != condition { return false }
        if let registration = terms.registration,
            subject?.registrations.contains(registration.text) != true
        {
            return false
        }
        if let fingerprint = terms.fingerprint,
            subject?.registrations.contains(where: { Fingerprint(of: $0) == fingerprint }) != true
        {
            return false
        }
        return matchesContent(terms)
    }

    private func matchesContent(_ terms: SearchTerms) -> Bool {
        if let title = terms.title, !texts("title").contains(title) { return false }
        if let body = terms.body, !texts("body").contains(body) { return false }
        if let label = terms.label, !labels.contains(label) { return false }
        if let data = terms.data, !has(data) { return false }
        guard let text = terms.text else { return true }
        return line["body"]?.contains(text) == true
            || line["path"]?.stringValue.map { text.occurs(in: $0) } == true
    }

    private var blocks: [JSONValue] {
        [message, message?["android"], message?["android_v2"], message?["webpush"]]
            .compactMap(\.self)
    }

    /// The values of a field in the notifications of all platforms.
    private func texts(_ name: String) -> [String] {
        let alert = message?["apns"]?["payload"]?["aps"]?["alert"]
        let notifications = blocks.map { $0["notification"] } + [alert]
        var texts = notifications.compactMap { $0?[name]?.stringValue }
        if name == "body", let text = alert?.stringValue { texts.append(text) }
        return texts
    }

    private var labels: [String] {
        (blocks + [message?["apns"]].compactMap(\.self)).compactMap { block in
            let options = block["fcm_options"] ?? block["fcmOptions"]
            return (options?["analytics_label"] ?? options?["analyticsLabel"])?.stringValue
        }
    }

    private func has(_ entry: (key: String, value: String?)) -> Bool {
        let all = blocks.map { $0["data"] } + [message?["apns"]?["payload"]]
        return all.contains { data in
            guard let value = data?[entry.key] else { return false }
            return entry.value == nil || value.stringValue == entry.value
        }
    }

    /// The path without the query; a registration appears as its fingerprint.
    var pathWithoutSecrets: String {
        let path = RequestTarget(line["path"]?.stringValue ?? "").path
        let registrations = subject?.registrations ?? []
        return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            let text = part.percentDecoded
            return registrations.contains(text) ? Fingerprint(of: text).text : String(part)
        }.joined(separator: "/")
    }

    /// The members of the line without its body and answer, and the parts of the message.
    var json: JSONObject {
        var members = JSONObject()
        for name in ["seq", "time", "project", "method", "path", "status"] {
            members[name] = line[name]
        }
        for member in details.members { members[member.key] = member.value }
        return members
    }

    /// The target, the message, and the reason of a refusal.
    var details: JSONObject {
        var members = JSONObject()
        members["target"] = target
        members["title"] = texts("title").first.map { .string($0) }
        members["body"] = texts("body").first.map { .string($0) }
        members["data"] = message?["data"]
        if line["body"]?["validate_only"] == true || line["body"]?["validateOnly"] == true {
            members["validate_only"] = true
        }
        if let name = line["answer"]?["name"]?.stringValue, let slash = name.lastIndex(of: "/") {
            members["message_id"] = .string(String(name[slash...].dropFirst()))
        }
        members["error"] = error.map { .string($0) }
        if error != nil { members["reason"] = reason.map { .string($0) } }
        members["fault"] = rule.map { .string($0) }
        return members
    }

    private var target: JSONValue? {
        if let topic = subject?.topic { return ["topic": .string(topic)] }
        if let condition = subject?.condition { return ["condition": .string(condition)] }
        guard let registrations = subject?.registrations, let first = registrations.first else {
            return nil
        }
        guard registrations.count == 1 else {
            return ["registrations": .integer(Int64(registrations.count))]
        }
        let kind = message?["fid"] == nil ? "token" : "fid"
        return [kind: .string(first), "fingerprint": .string(Fingerprint(of: first).text)]
    }

    private var reason: String? {
        let error = line["answer"]?["error"]
        return error?["message"]?.stringValue ?? error?.stringValue
    }
}

extension JSONValue {
    /// Returns whether a key or a text in the value contains the needle.
    fileprivate func contains(_ needle: TextNeedle) -> Bool {
        switch self {
        case .string(let text): needle.occurs(in: text)
        case .array(let elements): elements.contains { $0.contains(needle) }
        case .object(let object):
            object.members.contains { needle.occurs(in: $0.key) || $0.value.contains(needle) }
        default: false
        }
    }

    /// The error code of an answer: FCM's, or Google's status; `OK` for an answer without an
    /// error.
    var answerCode: String {
        guard self != .null else { return "NO_ANSWER" }
        guard let error = self["error"] else { return "OK" }
        let codes = (error["details"]?.arrayValue ?? []).compactMap { $0["errorCode"]?.stringValue }
        return codes.first ?? error["status"]?.stringValue ?? error.stringValue ?? ""
    }
}
