package enum DevicePlatform: String, Hashable, CaseIterable, Sendable {
    case android
    case apple
    case web
}

/// A virtual phone or browser with one instance of the app.
package struct Device: Hashable, Sendable {
    package let name: String
    package var platform: DevicePlatform
    /// Nil until the app receives its registration.
    package var registration: DeviceRegistration?
    /// The project of the registration, or nil if any project may send to it.
    package var project: String?
    /// The app's package name or bundle identifier.
    package var packageName: String?
    /// The private keys with which the app decrypts messages.
    package var messageKeys: [String]
    /// The topics of the app instance and the times of subscription.
    package var topics: [TopicName: DeliveryMoment] = [:]
    package var isOnline: Bool
    package var isInForeground: Bool
    package var isInstalled = true
    package var isDozing = false
    package var isForceStopped = false
    /// Whether the profile of the app's user is stopped.
    package var isUserStopped = false
    /// Whether the app establishes the direct channel; false only for Apple devices.
    package var usesDirectChannel = true
    /// The last contact of an offline device, or nil if the device is online.
    package var lastSeen: DeliveryMoment?
    /// Whether FCM accepts the registration.
    ///
    /// False until the device has a registration, and after the first delivery attempt to a removed
    /// app: FCM then answers UNREGISTERED.
    package var isRegistered: Bool

    package init(_ specification: DeviceSpecification) {
        name = specification.name
        platform = specification.platform
        registration = specification.registration
        project = specification.project
        packageName = specification.packageName
        messageKeys = specification.messageKeys
        isOnline = specification.isOnline
        isInForeground = specification.isInForeground
        isDozing = specification.isDozing
        isForceStopped = specification.isForceStopped
        isUserStopped = specification.isUserStopped
        lastSeen = specification.lastSeen
        isRegistered = specification.registration != nil
    }

    /// What blocks a client call of the app, or nil if the call can complete now.
    package var obstacle: ClientObstacle? {
        if registration == nil { return .registration }
        return isOnline ? nil : .network
    }
}

extension Device {
    /// Returns whether a sender of the project may address the device.
    ///
    /// A project number cannot be compared with a project ID, so the result is then true.
    package func belongs(to project: String) -> Bool {
        project.mayAddress(appOf: self.project)
    }
}

extension DeviceMemory {
    func belongs(to project: String) -> Bool { project.mayAddress(appOf: self.project) }

    /// Returns whether a message that is restricted to a package applies to the device; only
    /// Android has packages.
    func isOfPackage(_ name: String?) -> Bool {
        name == nil || packageName == nil || platform != .android || packageName == name
    }
}

extension String {
    fileprivate func mayAddress(appOf project: String?) -> Bool {
        guard let project, project.isProjectNumber == isProjectNumber else { return true }
        return project == self
    }

    /// Whether the text is a project number: a project ID starts with a letter.
    private var isProjectNumber: Bool {
        utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}

/// A device as its owner describes it.
package struct DeviceSpecification: Hashable, Sendable {
    package var name: String
    package var platform: DevicePlatform
    /// Nil if the app is installed and has not received its registration yet.
    package var registration: DeviceRegistration?
    /// The Firebase project of the app, or nil to accept any sender.
    package var project: String?
    /// The app's package or bundle, or nil to match any restriction.
    package var packageName: String?
    package var isOnline: Bool
    package var isInForeground: Bool
    package var isDozing = false
    package var isForceStopped = false
    package var isUserStopped = false
    /// The time when an offline device was last online, or nil for the seeding time.
    package var lastSeen: DeliveryMoment?
    /// The topics that the app joins when it starts for the first time.
    package var topics: [TopicName]
    /// The private keys with which the app decrypts messages, in base64url.
    package var messageKeys: [String] = []

    package init(
        name: String,
        platform: DevicePlatform,
        registration: DeviceRegistration?,
        isOnline: Bool = true,
        isInForeground: Bool = false,
        topics: [TopicName] = [],
        project: String? = nil,
        packageName: String? = nil
    ) {
        self.name = name
        self.platform = platform
        self.registration = registration
        self.project = project
        self.packageName = packageName
        self.isOnline = isOnline
        self.isInForeground = isInForeground
        self.topics = topics
    }
}
