/// The deterministic state machine of one device's messages.
///
/// Time comes only from the calls and must never decrease. Every call first performs all work that
/// is already due, so the time of a query does not affect the result. A device that never received
/// a message takes less than 100 bytes.
package struct DeviceMachine: Sendable {
    package internal(set) var platform: DevicePlatform
    package internal(set) var conditions: DeviceConditions
    /// Whether FCM accepts the registration.
    ///
    /// False until the device has one, and after FCM notices that the app was removed or that the
    /// device was silent for too long.
    package internal(set) var isRegistered: Bool
    /// The time when an offline device was last online.
    package internal(set) var lastSeen: DeliveryMoment
    /// The time when APNs reports a removed app, after it noticed the removal.
    var noticeOfRemoval = DeliveryMoment.never
    /// Seed of the delays that are drawn for this device.
    let salt: UInt64
    var traffic = LazyBox<Traffic>()

    package init(
        platform: DevicePlatform,
        conditions: DeviceConditions = DeviceConditions(),
        isRegistered: Bool = true,
        lastSeen: DeliveryMoment,
        salt: UInt64 = 0
    ) {
        self.platform = platform
        self.conditions = conditions
        self.conditions.keepWhatExists(on: platform)
        self.isRegistered = isRegistered
        self.lastSeen = lastSeen
        self.salt = salt
    }

    /// The earliest time at which work may fall due.
    ///
    /// This is a lower bound: possibly no work is due at that time.
    package var due: DeliveryMoment {
        var due = min(noticeOfRemoval, registrationEnd)
        if !traffic.isUntouched { due = min(due, traffic.value.due) }
        return due
    }

    /// The time when the registration expires if the device stays silent.
    var registrationEnd: DeliveryMoment {
        guard platform == .android, isRegistered, !conditions.isOnline else { return .never }
        return lastSeen.advanced(byMilliseconds: DeliveryRules.registrationLife)
    }

    /// Performs all work that is due by `now`, in order of time.
    package mutating func advance(
        to now: DeliveryMoment,
        under options: DeliveryOptions,
        reportingTo reports: inout [DeliveryReport]
    ) {
        while true {
            let moment = due
            guard moment <= now else { return }
            if noticeOfRemoval <= moment || registrationEnd <= moment {
                noticeOfRemoval = .never
                loseRegistration(at: moment, reportingTo: &reports)
            }
            settle(at: moment, under: options, reportingTo: &reports)
        }
    }

    /// Changes conditions and delivers the messages that are no longer blocked.
    package mutating func change(
        _ change: DeviceChange,
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        reportingTo reports: inout [DeliveryReport]
    ) {
        advance(to: now, under: options, reportingTo: &reports)
        let before = conditions
        conditions.apply(change)
        conditions.keepWhatExists(on: platform)
        if before.isOnline, !conditions.isOnline { lastSeen = now }
        if !conditions.isOnline, let moment = change.lastSeen { lastSeen = min(moment, now) }
        if !before.isOnline, conditions.isOnline { comeBack(at: now) }
        if !before.isInstalled, conditions.isInstalled { noticeOfRemoval = .never }
        let clearsTray =
            before.isInstalled && !conditions.isInstalled
            || !before.isForceStopped && conditions.isForceStopped
        if clearsTray, !traffic.isUntouched { traffic.value.emptyTray() }
        if registrationEnd <= now { loseRegistration(at: now, reportingTo: &reports) }
        settle(at: now, under: options, reportingTo: &reports)
    }

    /// Taps a notification: it leaves the tray, and the app comes to the foreground and receives
    /// its data.
    ///
    /// Returns nil if the tray does not show the message.
    package mutating func tap(
        _ id: MessageID,
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        reportingTo reports: inout [DeliveryReport]
    ) -> ReceivedMessage? {
        advance(to: now, under: options, reportingTo: &reports)
        guard !traffic.isUntouched, let place = traffic.value.placeInTray(of: id) else {
            return nil
        }
        let index = traffic.value.tray[place] - traffic.value.forgotten - 1
        traffic.value.received[index].openedAt = now
        traffic.value.leaveTray(place, as: .opened)
        reports.append(.opened(id, at: now))
        let opened = traffic.value.received[index]
        change(DeviceChange(isInForeground: true), at: now, under: options, reportingTo: &reports)
        return opened
    }

    /// Returns the message that a tap would open.
    func shownMessage(_ id: MessageID) -> ReceivedMessage? {
        guard !traffic.isUntouched, let place = traffic.value.placeInTray(of: id) else {
            return nil
        }
        return traffic.value.received[traffic.value.tray[place] - traffic.value.forgotten - 1]
    }

    /// Invalidates the registration and drops all waiting messages.
    package mutating func loseRegistration(
        at now: DeliveryMoment,
        as outcome: MessageOutcome = .droppedUnregistered,
        reportingTo reports: inout [DeliveryReport]
    ) {
        guard isRegistered else { return }
        isRegistered = false
        reports.append(.unregistered(at: now))
        dropAll(as: outcome, at: now, reportingTo: &reports)
    }

    /// Makes the registration valid and counts as contact with the device.
    package mutating func register(at now: DeliveryMoment) {
        isRegistered = true
        lastSeen = max(lastSeen, now)
        noticeOfRemoval = .never
    }

    /// Deletes the app's registration and drops all waiting messages.
    package mutating func giveUpRegistration(
        at now: DeliveryMoment,
        reportingTo reports: inout [DeliveryReport]
    ) {
        isRegistered = false
        noticeOfRemoval = .never
        dropAll(as: .droppedUnregistered, at: now, reportingTo: &reports)
    }

    private mutating func dropAll(
        as outcome: MessageOutcome,
        at now: DeliveryMoment,
        reportingTo reports: inout [DeliveryReport]
    ) {
        guard !traffic.isUntouched else { return }
        for message in traffic.value.queue.removeAll() {
            drop(message, as: outcome, at: now, reportingTo: &reports)
        }
    }

    /// Returns whether the device was silent for more than a month.
    func isSilent(at now: DeliveryMoment) -> Bool {
        platform == .android && !conditions.isOnline
            && now.milliseconds - lastSeen.milliseconds > DeliveryRules.silence
    }

    private mutating func comeBack(at now: DeliveryMoment) {
        guard !traffic.isUntouched, let missed = traffic.value.missedData else { return }
        let isRecent = now.milliseconds - missed.milliseconds <= DeliveryRules.memoryOfSilence
        traffic.value.missedData = nil
        if isRecent { traffic.value.owesNotice = true }
    }
}
