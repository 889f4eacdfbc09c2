/// The conditions of a device that affect delivery.
package struct DeviceConditions: Hashable, Sendable {
    package var isOnline: Bool
    package var isInForeground: Bool
    package var isInstalled = true
    /// Android only; false if the app is in the foreground.
    package var isDozing = false
    /// Android only; false if the app is in the foreground.
    package var isForceStopped = false
    /// Whether the profile of the app's user is stopped; Android only.
    package var isUserStopped = false
    /// `shouldEstablishDirectChannel`, with which an app in the foreground can send; Apple only.
    package var usesDirectChannel = true

    package init(isOnline: Bool = true, isInForeground: Bool = false) {
        self.isOnline = isOnline
        self.isInForeground = isInForeground
    }

    /// Applies changes and their consequences: an app in the foreground is started, and its device
    /// is awake.
    package mutating func apply(_ change: DeviceChange) {
        isOnline = change.isOnline ?? isOnline
        isInstalled = change.isInstalled ?? isInstalled
        isInForeground = change.isInForeground ?? isInForeground
        isDozing = change.isDozing ?? isDozing
        isForceStopped = change.isForceStopped ?? isForceStopped
        isUserStopped = change.isUserStopped ?? isUserStopped
        usesDirectChannel = change.usesDirectChannel ?? usesDirectChannel
        let goesBack =
            change.isDozing == true || change.isForceStopped == true
            || change.isUserStopped == true || !isInstalled
        if goesBack { isInForeground = false }
        if isInForeground { (isDozing, isForceStopped, isUserStopped) = (false, false, false) }
        if !isInstalled { isForceStopped = false }
    }

    /// Resets the conditions that the platform does not have.
    mutating func keepWhatExists(on platform: DevicePlatform) {
        if platform != .apple { usesDirectChannel = true }
        guard platform != .android else { return }
        (isDozing, isForceStopped, isUserStopped) = (false, false, false)
    }
}

/// Changes to a device; nil leaves a condition unchanged.
package struct DeviceChange: Hashable, Sendable {
    package var isOnline: Bool?
    package var isInForeground: Bool?
    /// If true on a device without the app, the app is installed from scratch: the registration
    /// becomes valid again, and the app joins only its own topics.
    package var isInstalled: Bool?
    package var isDozing: Bool?
    package var isForceStopped: Bool?
    package var isUserStopped: Bool?
    package var usesDirectChannel: Bool?
    /// The last contact of an offline device.
    package var lastSeen: DeliveryMoment?

    package init(
        isOnline: Bool? = nil,
        isInForeground: Bool? = nil,
        isInstalled: Bool? = nil,
        isDozing: Bool? = nil,
        isForceStopped: Bool? = nil,
        isUserStopped: Bool? = nil,
        usesDirectChannel: Bool? = nil,
        lastSeen: DeliveryMoment? = nil
    ) {
        self.isOnline = isOnline
        self.isInForeground = isInForeground
        self.isInstalled = isInstalled
        self.isDozing = isDozing
        self.isForceStopped = isForceStopped
        self.isUserStopped = isUserStopped
        self.usesDirectChannel = usesDirectChannel
        self.lastSeen = lastSeen
    }
}

extension Device {
    /// Applies changes in the same way as the model does.
    package mutating func apply(_ change: DeviceChange, at now: DeliveryMoment) {
        var conditions = DeviceConditions(self)
        conditions.apply(change)
        conditions.keepWhatExists(on: platform)
        let isFreshInstall = !isInstalled && conditions.isInstalled && registration != nil
        if isOnline && !conditions.isOnline || isFreshInstall { lastSeen = now }
        if let moment = change.lastSeen { lastSeen = min(moment, now) }
        take(conditions, lastSeen: lastSeen ?? now)
    }

    mutating func take(_ conditions: DeviceConditions, lastSeen moment: DeliveryMoment) {
        isOnline = conditions.isOnline
        isInForeground = conditions.isInForeground
        isInstalled = conditions.isInstalled
        isDozing = conditions.isDozing
        isForceStopped = conditions.isForceStopped
        isUserStopped = conditions.isUserStopped
        usesDirectChannel = conditions.usesDirectChannel
        lastSeen = isOnline ? nil : moment
    }
}

extension DeviceConditions {
    init(_ device: Device) {
        self.init(isOnline: device.isOnline, isInForeground: device.isInForeground)
        isInstalled = device.isInstalled
        isDozing = device.isDozing
        isForceStopped = device.isForceStopped
        isUserStopped = device.isUserStopped
        usesDirectChannel = device.usesDirectChannel
    }
}
