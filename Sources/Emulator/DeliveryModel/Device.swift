package enum DevicePlatform: String, Hashable, CaseIterable, Sendable {
    case android
    case apple
    case web
}

/// A virtual phone or browser with one instance of the app.
package struct Device: Hashable, Sendable {
    package let name: String
    package var platform: DevicePlatform
    /// Nil while the app has not received its registration yet.
    package var registration: DeviceRegistration?
    /// The project that the registration is for; nil where any may send to it.
    package var project: String?
    /// The app's package name or bundle identifier.
    package var packageName: String?
    /// What the app instance is subscribed to, and since when.
    package var topics: [TopicName: DeliveryMoment] = [:]
    package var isOnline: Bool
    package var isInForeground: Bool
    package var isInstalled = true
    package var isDozing = false
    package var isForceStopped = false
    /// Whether the profile of the app's user is stopped.
    package var isUserStopped = false
    /// Since when a device that is offline has been silent; nil for one that is online.
    package var lastSeen: DeliveryMoment?
    /// Whether FCM takes the registration: not before there is one, and not after the first
    /// delivery attempt to an app that was removed, from when on FCM answers UNREGISTERED.
    package var isRegistered: Bool

    package init(_ specification: DeviceSpecification) {
        name = specification.name
        platform = specification.platform
        registration = specification.registration
        project = specification.project
        packageName = specification.packageName
        isOnline = specification.isOnline
        isInForeground = specification.isInForeground
        isDozing = specification.isDozing
        isForceStopped = specification.isForceStopped
        isUserStopped = specification.isUserStopped
        lastSeen = specification.lastSeen
        isRegistered = specification.registration != nil
    }

    /// What a call of the app's waits for; nil where it can be done now.
    package var obstacle: ClientObstacle? {
        if registration == nil { return .registration }
        return isOnline ? nil : .network
    }
}

extension Device {
    /// Whether a sender of the project may address the device.
    ///
    /// A project's number and its id can't be told to differ: then it may.
    package func belongs(to project: String) -> Bool {
        project.mayAddress(appOf: self.project)
    }
}

extension DeviceMemory {
    func belongs(to project: String) -> Bool { project.mayAddress(appOf: self.project) }

    /// Whether a message restricted to a package is for the device; other platforms than Android
    /// have no packages.
    func isOfPackage(_ name: String?) -> Bool {
        name == nil || packageName == nil || platform != .android || packageName == name
    }
}

extension String {
    fileprivate func mayAddress(appOf project: String?) -> Bool {
        guard let project, project.isProjectNumber == isProjectNumber else { return true }
        return project == self
    }

    /// A project's id begins with a letter.
    private var isProjectNumber: Bool {
        utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}

/// A device as its owner describes it.
package struct DeviceSpecification: Hashable, Sendable {
    package var name: String
    package var platform: DevicePlatform
    /// Nil where the app is installed and has not received its registration yet.
    package var registration: DeviceRegistration?
    /// The Firebase project that the app was built for; nil for whichever sends to it.
    package var project: String?
    /// The app's package or bundle; nil for whichever a message is restricted to.
    package var packageName: String?
    package var isOnline: Bool
    package var isInForeground: Bool
    package var isDozing = false
    package var isForceStopped = false
    package var isUserStopped = false
    /// When a device that is offline was last online; nil for when it is seeded.
    package var lastSeen: DeliveryMoment?
    /// The topics that the app itself joins when it starts for the first time.
    package var topics: [TopicName]

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
