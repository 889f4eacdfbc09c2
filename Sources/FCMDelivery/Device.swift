package enum DevicePlatform: String, Hashable, CaseIterable, Sendable {
    case android
    case apple
    case web
}

/// A virtual phone or browser with one instance of the app.
package struct Device: Hashable, Sendable {
    package let name: String
    package internal(set) var platform: DevicePlatform
    package internal(set) var registration: DeviceRegistration
    /// What the app instance is subscribed to, and since when.
    package internal(set) var topics: [TopicName: DeliveryMoment] = [:]
    package internal(set) var isOnline: Bool
    package internal(set) var isInForeground: Bool
    package internal(set) var isInstalled = true
    /// False from the first delivery attempt after the app was removed: FCM answers UNREGISTERED.
    package internal(set) var isRegistered = true

    init(_ specification: DeviceSpecification) {
        name = specification.name
        platform = specification.platform
        registration = specification.registration
        isOnline = specification.isOnline
        isInForeground = specification.isInForeground
    }
}

/// A device as its owner describes it.
package struct DeviceSpecification: Hashable, Sendable {
    package var name: String
    package var platform: DevicePlatform
    package var registration: DeviceRegistration
    package var isOnline: Bool
    package var isInForeground: Bool
    /// The topics that the app itself joins when it starts for the first time.
    package var topics: [TopicName]

    package init(
        name: String,
        platform: DevicePlatform,
        registration: DeviceRegistration,
        isOnline: Bool = true,
        isInForeground: Bool = false,
        topics: [TopicName] = []
    ) {
        self.name = name
        self.platform = platform
        self.registration = registration
        self.isOnline = isOnline
        self.isInForeground = isInForeground
        self.topics = topics
    }
}

/// What is to become different about a device; nil leaves a condition as it is.
package struct DeviceChange: Hashable, Sendable {
    package var isOnline: Bool?
    package var isInForeground: Bool?
    /// True on a device without the app installs it afresh: the registration is valid again, the
    /// app joins its own topics and no other.
    package var isInstalled: Bool?

    package init(isOnline: Bool? = nil, isInForeground: Bool? = nil, isInstalled: Bool? = nil) {
        self.isOnline = isOnline
        self.isInForeground = isInForeground
        self.isInstalled = isInstalled
    }
}
