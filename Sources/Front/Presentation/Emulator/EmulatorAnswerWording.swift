package import JSON

/// What an emulator's answer means, and what is wrong with it.
package enum EmulatorAnswerWording {
    package static let unexpected = "unexpected answer"

    /// `answer`: of `POST /emulator/v1/devices/{name}/upstream`.
    package static func sentUpstream(_ answer: JSONValue) -> String {
        let id = TextStyle.safe(answer["message_id"]?.stringValue ?? "")
        let isConnected = answer["connected"]?.boolValue == true
        return isConnected
            ? "Message \(id) was passed to FCM.\n"
            : "Message \(id) waits on the device, whose app has no connection.\n"
    }

    /// Warns that other machines can connect.
    package static func reachable(at host: String) -> String {
        "warning: other machines can connect to \(TextStyle.safe(host)) and send to the virtual "
            + "devices with any token. The control API and the page require the token below.\n"
    }
}
