import FCMWire
package import HTTPTransport
import JSON
import Text

/// Interprets the answer to a validating send: credential, project and API.
package enum SendCheck {
    /// The body of a `validate_only` message to a topic without subscribers.
    package static let body: [UInt8] =
        SendRequest(message: ["data": ["herald": "doctor"]])
        .body(to: .topic("herald-doctor"), validateOnly: true).compactBytes

    package static func finding(_ answer: HTTPAnswer, project: String) -> CheckupFinding {
        let refusal = Refusal(answer)
        let seen = refusal?.words(answer.status) ?? "status \(answer.status), not in FCM's format"
        switch answer.status {
        case 200 where JSONValue(parsing: answer.body)?["name"]?.stringValue != nil:
            return .ok(
                .send,
                seen: "FCM accepts a message to a topic (validate_only: nothing was sent)"
            )
        case 429, 500...599:
            return CheckupFinding(.send, verdict: .warning, seen: seen, wayOut: "retry in a minute")
        default:
            let wayOut = refusal?.wayOut(for: answer.status, in: project) ?? Self.notFCM
            return CheckupFinding(.send, verdict: .problem, seen: seen, wayOut: wayOut)
        }
    }

    /// Returns the number of the project whose quota a rejected request used, if the answer
    /// contains it.
    package static func projectNumber(in answer: HTTPAnswer) -> String? {
        Refusal(answer)?.consumer.flatMap { consumer in
            let number = consumer.split(separator: "/").last.map(String.init) ?? ""
            let isNumber = !number.isEmpty && number.utf8.allSatisfy(\.isASCIIDigit)
            return isNumber ? number : nil
        }
    }

    private static let notFCM =
        "check what answers there: a proxy, a login page of the network, or another server"
}

/// A Google API error, with the details about the caller.
private struct Refusal {
    let status: String
    let message: String
    /// The reason in the `ErrorInfo` detail, such as `SERVICE_DISABLED`.
    let reason: String?
    let consumer: String?
    /// Google's link to a fix.
    let link: String?

    init?(_ answer: HTTPAnswer) {
        guard answer.status != 200, let json = JSONValue(parsing: answer.body),
            let error = json["error"]?.objectValue
        else { return nil }
        let details = error["details"]?.arrayValue ?? []
        func detail(_ type: String) -> JSONValue? {
            details.first { $0["@type"]?.stringValue == "type.googleapis.com/google.rpc." + type }
        }
        let info = detail("ErrorInfo")
        status = error["status"]?.stringValue ?? ""
        message = error["message"]?.stringValue ?? ""
        reason = info?["reason"]?.stringValue
        consumer = info?["metadata"]?["consumer"]?.stringValue
        link =
            info?["metadata"]?["activationUrl"]?.stringValue
            ?? detail("Help")?["links"]?.arrayValue?.first?["url"]?.stringValue
    }

    func words(_ code: Int) -> String {
        let reason = reason.map { " (\($0))" } ?? ""
        return "\(code) \(status)\(reason): \(message.prefix(300))"
    }

    func wayOut(for code: Int, in project: String) -> String {
        switch (code, reason) {
        case (_, "SERVICE_DISABLED"):
            "enable the Firebase Cloud Messaging API: "
                + (link
                    ?? "https://console.cloud.google.com/apis/library/fcm.googleapis.com?project="
                    + project) + ", and wait a few minutes"
        case (401, _):
            "the token is not accepted: check `credentials` and `clock` above, and that the key "
                + "and the account still exist"
        case (403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"):
            "request tokens with the scope https://www.googleapis.com/auth/firebase.messaging"
        case (403, _):
            "give the account the permission cloudmessaging.messages.create in project \(project): "
                + "the role Firebase Cloud Messaging API Admin (roles/firebasecloudmessaging.admin)"
        case (404, _): "make sure that project_id is the id of a project, not its name or number"
        default: "make sure that the address and project_id are right"
        }
    }
}
