/// What one device does with the messages for it: a pure machine, whose clock is what its calls
/// say.
///
/// Every call first does what fell due before it, so that it makes no difference when, or whether,
/// somebody looks. Moments never go backwards. A device to which nothing was sent takes less than
/// a hundred bytes.
package struct DeviceMachine: Sendable {
    package internal(set) var platform: DevicePlatform
    package internal(set) var conditions: DeviceConditions
    /// Whether FCM takes the registration: not before there is one, and not after FCM has learnt
    /// that the app is gone or the device silent for too long.
    package internal(set) var isRegistered: Bool
    /// When a device that is offline was last online.
    package internal(set) var lastSeen: DeliveryMoment
    /// When APNs tells of a removed app whose removal it has noticed.
    var noticeOfRemoval = DeliveryMoment.never
    /// Where the waits that are drawn for this device begin.
    let salt: UInt64
    var traffic = Seldom<Traffic>()

    package init(
        platform: DevicePlatform,
        _ conditions: DeviceConditions = DeviceConditions(),
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

    /// The earliest moment at which something falls due; a later one that is asked for may be
    /// earlier than that, if nothing has happened in between.
    package var due: DeliveryMoment {
        var due = min(noticeOfRemoval, registrationEnd)
        if !traffic.isUntouched { due = min(due, traffic.value.due) }
        return due
    }

    /// When the registration expires if the device stays silent.
    var registrationEnd: DeliveryMoment {
        guard platform == .android, isRegistered, !conditions.isOnline else { return .never }
        return lastSeen.advanced(byMilliseconds: DeliveryRules.registrationLife)
    }

    /// Does what falls due until and at `now`, in the order of time.
    package mutating func advance(
        to now: DeliveryMoment,
        under options: DeliveryOptions,
        _ reports: inout [DeliveryReport]
    ) {
        while true {
            let moment = due
            guard moment <= now else { return }
            if noticeOfRemoval <= moment || registrationEnd <= moment {
                noticeOfRemoval = .never
                loseRegistration(at: moment, &reports)
            }
            settle(at: moment, under: options, &reports)
        }
    }

    /// Changes conditions, and delivers what nothing holds back any longer.
    package mutating func change(
        _ change: DeviceChange,
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        _ reports: inout [DeliveryReport]
    ) {
        advance(to: now, under: options, &reports)
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
        if registrationEnd <= now { loseRegistration(at: now, &reports) }
        settle(at: now, under: options, &reports)
    }

    /// Taps a notification: it leaves the tray, and the app comes to the foreground and gets its
    /// data.
    ///
    /// Nil where the tray does not show it.
    package mutating func tap(
        _ id: MessageID,
        at now: DeliveryMoment,
        under options: DeliveryOptions,
        _ reports: inout [DeliveryReport]
    ) -> ReceivedMessage? {
        advance(to: now, under: options, &reports)
        guard !traffic.isUntouched, let place = traffic.value.placeInTray(of: id) else {
            return nil
        }
        let index = traffic.value.tray[place] - traffic.value.forgotten - 1
        traffic.value.received[index].openedAt = now
        traffic.value.leaveTray(place, as: .opened)
        reports.append(.opened(id, at: now))
        let opened = traffic.value.received[index]
        change(DeviceChange(isInForeground: true), at: now, under: options, &reports)
        return opened
    }

    /// The message that a tap would open.
    func shownMessage(_ id: MessageID) -> ReceivedMessage? {
        guard !traffic.isUntouched, let place = traffic.value.placeInTray(of: id) else {
            return nil
        }
        return traffic.value.received[traffic.value.tray[place] - traffic.value.forgotten - 1]
    }

    /// What waits is dropped: the registration that it came for is gone.
    package mutating func loseRegistration(
        at now: DeliveryMoment,
        as outcome: MessageOutcome = .droppedUnregistered,
        _ reports: inout [DeliveryReport]
    ) {
        guard isRegistered else { return }
        isRegistered = false
        reports.append(.unregistered(at: now))
        dropAll(outcome, at: now, &reports)
    }

    /// The app has a registration that counts from now on: whoever gets one is in contact.
    package mutating func register(at now: DeliveryMoment) {
        isRegistered = true
        lastSeen = max(lastSeen, now)
        noticeOfRemoval = .never
    }

    /// The app gives its registration up.
    package mutating func giveUpRegistration(
        at now: DeliveryMoment,
        _ reports: inout [DeliveryReport]
    ) {
        isRegistered = false
        noticeOfRemoval = .never
        dropAll(.droppedUnregistered, at: now, &reports)
    }

    private mutating func dropAll(
        _ outcome: MessageOutcome,
        at now: DeliveryMoment,
        _ reports: inout [DeliveryReport]
    ) {
        guard !traffic.isUntouched else { return }
        for message in traffic.value.queue.removeAll() {
            drop(message, outcome, at: now, &reports)
        }
    }

    /// Whether a month and more has passed without the device.
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
