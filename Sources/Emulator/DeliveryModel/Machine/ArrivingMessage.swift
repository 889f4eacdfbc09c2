/// A message as it arrives for one device.
package struct ArrivingMessage: Sendable {
    package let id: MessageID
    let shared: SharedContent
    /// The collapse key; while the message waits, a newer message with the same key replaces it.
    let key: String?
    /// Whether the message has content for the device's platform.
    let isForPlatform: Bool

    /// Creates an arriving message from `shared`, its content for the device's platform.
    ///
    /// On Android, a notification and an empty message to a topic without a key use the app's
    /// package as their collapse key (Firebase documentation, Non-collapsible and collapsible
    /// messages).
    package init(
        id: MessageID,
        shared: SharedContent,
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

    /// The collapse key for a device without a package name.
    static let unnamedPackage = "the app's package"
}

extension MessageContent {
    /// Whether the message has high priority on Android.
    ///
    /// A message without a priority has normal priority (Firebase documentation, Set and manage
    /// message priority).
    var isHighPriority: Bool {
        guard let priority else { return false }
        return priority == "HIGH" || priority == "high"
    }
}
