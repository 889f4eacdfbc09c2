/// `GET /fcm/notification?notification_key_name=NAME`: the key of a device group, to which a message
/// is sent like to a registration (Firebase documentation, Send messages to device groups).
package struct DeviceGroupQuestion: Hashable, Sendable {
    private let name: String

    package init(name: String) {
        self.name = name
    }

    package var path: String {
        "/fcm/notification?notification_key_name=" + name.percentEncoded
    }
}

package enum DeviceGroupAnswer: Hashable, Sendable {
    case key(String)
    /// FCM's own words, such as `notification_key not found`.
    case refused(String)

    package init(status: Int, body: [UInt8]) {
        let json = JSONValue(parsing: body)
        if status == 200, let key = json?["notification_key"]?.stringValue, !key.isEmpty {
            self = .key(key)
        } else {
            let text = json?["error"]?.stringValue ?? json?["error"]?["message"]?.stringValue
            self = .refused(text ?? "the answer can't be read")
        }
    }
}
