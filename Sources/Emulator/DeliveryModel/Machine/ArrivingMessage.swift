/// A message as it arrives for one device.
package struct ArrivingMessage: Sendable {
    package let id: MessageID
    let shared: SharedContent
    /// What a newer message must have to take its place while it waits.
    let key: String?
    /// Whether it has something for the device's platform.
    let isForPlatform: Bool

    /// `shared` is the message's content for the platform of the device.
    ///
    /// A notification that names no key of its own, and an empty message to a topic, have the
    /// app's package as their key on Android (Firebase documentation, Non-collapsible and
    /// collapsible messages).
    package init(
        id: MessageID,
        _ shared: SharedContent,
        on platform: DevicePlatform,
        package name: String?,
        isToTopic: Bool,
        isForPlatform: Bool
    ) {
        self.id = id
        self.shared = shared
        self.isForPlatform = isForPlatform
        let content = shared.content
        let isPing = isToTopic && content.isEmpty && platform == .android
        let hasDefault = content.collapsesByPackage || isPing && content.collapseKey == nil
        key = hasDefault ? name ?? Self.unnamedPackage : content.collapseKey
    }

    /// The package of a device that was given none.
    static let unnamedPackage = "the app's package"
}

extension MessageContent {
    /// Whether it goes to an Android device as urgent.
    ///
    /// A message without a priority is a normal one (Firebase documentation, Set and manage
    /// message priority).
    var isHighPriority: Bool {
        guard let priority else { return false }
        return priority == "HIGH" || priority == "high"
    }
}
