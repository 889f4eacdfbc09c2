import DeliveryModel
import EmulatorAPI
import EmulatorXMPP
import JSON

/// A message of an app server to a device over XMPP, as a send of the HTTP v1 API.
struct DownstreamSend {
    private let to: String
    private let id: String
    private let wantsReceipt: Bool
    let request: EmulatorRequest

    private static let texts = ["collapse_key", "restricted_package_name", "priority"]

    /// `project`: the project ID in the path of the request.
    init(to: String, id: String, message: JSONObject, project: String) {
        self.to = to
        self.id = id
        wantsReceipt =
            message["delivery_receipt_requested"] == true && message["dry_run"] != true
        var sent = JSONObject()
        if to.hasPrefix("/topics/") {
            sent["topic"] = .string(String(to.dropFirst("/topics/".count)))
        } else {
            sent["token"] = .string(to)
        }
        sent["data"] = message["data"]
        sent["notification"] = message["notification"]
        var android = JSONObject()
        for name in Self.texts { android[name] = message[name] }
        android["ttl"] = message["time_to_live"]?.integerValue.map { .string("\($0)s") }
        if !android.isEmpty { sent["android"] = .object(android) }
        let body: JSONValue = [
            "message": .object(sent), "validate_only": message["dry_run"] ?? false,
        ]
        var request = EmulatorRequest(
            method: "POST",
            target: "/v1/projects/\(project)/messages:send",
            authorization: "Bearer app-server",
            body: body.compactBytes
        )
        request.isOfAppServer = true
        self.request = request
    }

    /// The `ack` or the `nack` for the answer of the HTTP v1 API.
    func stanza(for answer: RenderedAnswer) -> JSONObject {
        guard answer.status != 200 else { return GCMStanza.acknowledgement(of: id, from: to) }
        let error = JSONValue(parsing: answer.bytes)?["error"]
        return GCMStanza.refusal(
            of: id,
            from: to,
            code: code(of: answer.status),
            description: error?["message"]?.stringValue ?? ""
        )
    }

    /// The receipt that the message asks for, or nil.
    func receipt(for answer: RenderedAnswer, to server: AppServer) -> WaitingReceipt? {
        guard wantsReceipt, answer.status == 200, let registration = DeviceRegistration(to),
            let name = JSONValue(parsing: answer.bytes)?["name"]?.stringValue,
            let message = name.split(separator: "/").last
        else { return nil }
        return WaitingReceipt(
            server: server,
            registration: registration,
            message: MessageID(String(message)),
            original: id
        )
    }

    /// The code of XMPP for a status of HTTP (Firebase documentation, XMPP server protocol).
    private func code(of status: Int) -> String {
        switch status {
        case 404: "DEVICE_UNREGISTERED"
        case 400, 403: "BAD_REGISTRATION"
        case 429:
            to.hasPrefix("/topics/")
                ? "TOPICS_MESSAGE_RATE_EXCEEDED" : "DEVICE_MESSAGE_RATE_EXCEEDED"
        case 503: "SERVICE_UNAVAILABLE"
        default: "INTERNAL_SERVER_ERROR"
        }
    }
}
