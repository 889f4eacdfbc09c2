import JSON

extension JSONObject {
    /// Checks the keys that Apple defines in the `payload` of a message.
    ///
    /// FCM refuses the whole message, also for other platforms (answers recorded in
    /// firebase/firebase-admin-dotnet, issues 39 and 323, and in the documentation of the package
    /// async-firebase; that keys next to `aps` are refused: vincedevendra/firebase_cloud_messenger,
    /// issue 6, without FCM's text).
    func checkAppleKeys() throws(FieldViolation) {
        let path = "message.apns.payload"
        for key in ["alert", "badge"] where self[key] != nil {
            throw .invalid(
                "\(path).\(key)",
                because: "Key [\(key)] must be in the [aps] dictionary."
            )
        }
        guard let aps = self["aps"] else {
            throw .invalid(
                path,
                because: "Payload of Apple Push Notification Service must contain an [aps] key."
            )
        }
        guard let keys = aps.objectValue, !keys.isEmpty else {
            throw .invalid(
                path + ".aps",
                because: "Value of [aps] must be a non-empty dictionary."
            )
        }
        for member in keys.members {
            guard let kind = AppleValueKind.ofKeys[member.key], !kind.contains(member.value)
            else { continue }
            throw .invalid(
                "\(path).aps.\(member.key)",
                because: "Value type for APS key [\(member.key)] is a \(kind.rawValue)."
            )
        }
    }
}

/// The type of a value in `aps`, as FCM's errors name it; a null counts as absent.
private enum AppleValueKind: String {
    case string
    case number
    case list
    case dictionary
    case stringOrDictionary = "string or a dictionary"

    /// The types of Apple's keys (Apple documentation, Generating a remote notification, and
    /// Starting and updating Live Activities with ActivityKit push notifications).
    static let ofKeys: [String: AppleValueKind] = [
        "alert": .stringOrDictionary, "sound": .stringOrDictionary,
        "badge": .number, "content-available": .number, "mutable-content": .number,
        "relevance-score": .number, "timestamp": .number, "stale-date": .number,
        "dismissal-date": .number, "input-push-token": .number,
        "category": .string, "thread-id": .string, "target-content-id": .string,
        "interruption-level": .string, "filter-criteria": .string, "event": .string,
        "attributes-type": .string, "input-push-channel": .string,
        "attributes": .dictionary, "content-state": .dictionary,
        "url-args": .list,
    ]

    func contains(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (_, .null): true
        case (.string, .string), (.list, .array), (.dictionary, .object): true
        case (.number, .integer), (.number, .number): true
        case (.stringOrDictionary, .string), (.stringOrDictionary, .object): true
        default: false
        }
    }
}
