package import JSON

/// Renders the inboxes of the emulator's devices, one block per device.
package struct InboxTextView: Sendable {
    private let style: TextStyle

    package init(style: TextStyle = .plain) {
        self.style = style
    }

    /// `inboxes`: the response of the emulator's `/emulator/v1/inboxes`.
    package func render(_ inboxes: JSONValue) -> String {
        let devices = inboxes["devices"]?.arrayValue ?? []
        guard !devices.isEmpty else { return "The emulator has no devices.\n" }
        return style.folded(
            devices.map { lines($0).joined(separator: "\n") + "\n" }.joined(separator: "\n")
        )
    }

    private func lines(_ device: JSONValue) -> [String] {
        let conditions = [
            ("foreground", "in the foreground"), ("dozing", "in Doze"),
            ("force_stopped", "app force-stopped"), ("user_stopped", "user's profile stopped"),
        ]
        let condition =
            [device["online"]?.boolValue == true ? "online" : "offline"]
            + conditions.filter { device[$0.0]?.boolValue == true }.map(\.1)
        let head = ([text(in: device, key: "platform")] + condition).joined(separator: " · ")
        let received = (device["received"]?.arrayValue ?? []).flatMap {
            message($0, on: text(in: device, key: "platform"))
        }
        let counts = InboxCounts(device).lines
        let body = received + counts
        return ["\(text(in: device, key: "name"))  \(head)"]
            + (body.isEmpty ? ["  nothing received"] : body)
    }

    private func message(_ message: JSONValue, on platform: String) -> [String] {
        let clear = message["decrypted"]
        let data = ((clear ?? message)["data"]?.objectValue?.members ?? [])
            .sorted { $0.key < $1.key }
        let texts = clear?["notification"] ?? message
        let shown = ["title", "body"].compactMap { texts[$0]?.stringValue }.map(TextStyle.safe)
        let head =
            shown.isEmpty ? (data.isEmpty ? "(ping)" : "(data)") : shown.joined(separator: " — ")
        var details: [String] = clear == nil ? [] : ["decrypted by the app"]
        if let reason = message["not_decrypted"]?.stringValue {
            details.append("not decrypted: \(TextStyle.safe(reason))")
        }
        if !data.isEmpty {
            let pairs = data.map { "\($0.key)=\($0.value.stringValue ?? "")" }
            details.append("data: " + TextStyle.safe(pairs.joined(separator: ", ")))
        }
        for (key, name) in Self.extras {
            if let value = message[key]?.stringValue, !isMoment(value, key: key, on: platform) {
                details.append("\(name): \(TextStyle.safe(value))")
            }
        }
        return ["  " + text(in: message, key: "how").padded(to: 10) + head]
            + details.map { String(repeating: " ", count: 12) + $0 }
    }

    private func text(in value: JSONValue, key: String) -> String {
        TextStyle.safe(value[key]?.stringValue ?? "")
    }

    /// Whether the value is an absolute time, which differs in every run.
    ///
    /// Apple devices receive the expiry time as their TTL, except for 0 (now or never).
    private func isMoment(_ value: String, key: String, on platform: String) -> Bool {
        key == "ttl" && platform == "apple" && value != "0"
    }

    private static let extras = [
        ("tag", "tag"), ("click_action", "click_action"), ("category", "category"),
        ("link", "link"), ("collapse_key", "collapse"), ("priority", "priority"), ("ttl", "ttl"),
    ]
}
