/// What a device is like at a moment, as far as it matters to delivery.
package struct DeviceConditions: Hashable, Sendable {
    package var isOnline: Bool
    package var isInForeground: Bool
    package var isInstalled = true
    /// Android only, and never with the app in the foreground.
    package var isDozing = false
    /// Android only, and never with the app in the foreground.
    package var isForceStopped = false
    /// Whether the profile of the app's user is stopped; Android only.
    package var isUserStopped = false

    package init(isOnline: Bool = true, isInForeground: Bool = false) {
        self.isOnline = isOnline
        self.isInForeground = isInForeground
    }

    /// Makes the changes, and what follows from them: an app in the foreground has been started
    /// on a device that is awake.
    package mutating func apply(_ change: DeviceChange) {
        isOnline = change.isOnline ?? isOnline
        isInstalled = change.isInstalled ?? isInstalled
        isInForeground = change.isInForeground ?? isInForeground
        isDozing = change.isDozing ?? isDozing
        isForceStopped = change.isForceStopped ?? isForceStopped
        isUserStopped = change.isUserStopped ?? isUserStopped
        let goesBack =
            change.isDozing == true || change.isForceStopped == true
            || change.isUserStopped == true || !isInstalled
        if goesBack { isInForeground = false }
        if isInForeground { (isDozing, isForceStopped, isUserStopped) = (false, false, false) }
        if !isInstalled { isForceStopped = false }
    }

    /// Ends what only Android devices do.
    mutating func keepWhatExists(on platform: DevicePlatform) {
        guard platform != .android else { return }
        (isDozing, isForceStopped, isUserStopped) = (false, false, false)
    }
}

/// What is to become different about a device; nil leaves a condition as it is.
package struct DeviceChange: Hashable, Sendable {
    package var isOnline: Bool?
    package var isInForeground: Bool?
    /// True on a device without the app installs it afresh: the registration is valid again, the
    /// app joins its own topics and no other.
    package var isInstalled: Bool?
    package var isDozing: Bool?
    package var isForceStopped: Bool?
    package var isUserStopped: Bool?
    /// Since when a device that is offline has been silent.
    package var lastSeen: DeliveryMoment?

    package init(
        isOnline: Bool? = nil,
        isInForeground: Bool? = nil,
        isInstalled: Bool? = nil,
        isDozing: Bool? = nil,
        isForceStopped: Bool? = nil,
        isUserStopped: Bool? = nil,
        lastSeen: DeliveryMoment? = nil
    ) {
        self.isOnline = isOnline
        self.isInForeground = isInForeground
        self.isInstalled = isInstalled
        self.isDozing = isDozing
        self.isForceStopped = isForceStopped
        self.isUserStopped = isUserStopped
        self.lastSeen = lastSeen
    }
}

extension Device {
    /// Makes the changes that a device with these conditions is going to have.
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
    }
}
