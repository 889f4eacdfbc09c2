package import JSON

/// What a recall puts in the place of a notification.
package enum RecallMessage: Hashable, Sendable {
    /// A notification with these texts.
    case notification(title: String?, body: String?)
    /// Data, with which the app removes the notification itself.
    case silent

    /// The message if neither the campaign nor the project has one.
    package static let standard = RecallMessage.notification(
        title: nil,
        body: "Please ignore the previous message"
    )

    /// The form of the files.
    package var stored: JSONValue {
        switch self {
        case .silent: return ["silent": true]
        case .notification(let title, let body):
            var texts = JSONObject()
            texts["title"] = title.map(JSONValue.string)
            texts["body"] = body.map(JSONValue.string)
            return ["notification": .object(texts)]
        }
    }

    /// Nil if it is unreadable.
    package init?(stored: JSONValue) {
        if stored["silent"] == true {
            self = .silent
            return
        }
        guard let texts = stored["notification"]?.objectValue else { return nil }
        self = .notification(
            title: texts["title"]?.stringValue,
            body: texts["body"]?.stringValue
        )
    }
}
